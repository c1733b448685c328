-- hashcore-dev-1.rockspec - the Lua rock: compiles the core and the module with no flag and no library.
rockspec_format = "3.0"
package = "hashcore"
version = "dev-1"
source = {
    url = "git+file://.", -- the checkout itself: luarocks make
}
description = {
    summary = "BLAKE2b, BLAKE3, SHA-256 and XOR at the speed of the processor",
    detailed = [[
One C core with kernels for every processor: BLAKE2b, BLAKE2Xb, BLAKE3, SHA-256, SHA-224, HMAC and XOR, one message
or many at once, files, long outputs, trees and verified streaming. For Lua 5.1 to 5.5 and LuaJIT.]],
    license = "MIT",
    labels = { "hash", "crypto", "blake3", "blake2", "sha256" },
}
dependencies = {
    "lua >= 5.1, < 5.6",
}
build = {
    type = "builtin",
    modules = {
        ["hashcore"] = "bindings/lua/hashcore/init.lua",
        ["hashcore.core"] = {
            sources = {
                "bindings/lua/lhashcore.c",
                "core/src/cpu.c",
                "core/src/kernels.c",
                "core/src/kernels_portable.c",
                "core/src/kernels_sse2.c",
                "core/src/kernels_sse41.c",
                "core/src/kernels_avx2.c",
                "core/src/kernels_avx512.c",
                "core/src/kernels_avx512vl.c",
                "core/src/kernels_neon.c",
                "core/src/kernels_wasm.c",
                "core/src/sha256_shani.c",
                "core/src/sha256_shanivl.c",
                "core/src/sha256_armv8.c",
                "core/src/sha256_bmi2.c",
                "core/src/sha256.c",
                "core/src/hmac.c",
                "core/src/blake2b.c",
                "core/src/blake2xb.c",
                "core/src/blake3.c",
                "core/src/blake3_tree.c",
                "core/src/bao.c",
                "core/src/xof.c",
                "core/src/image.c",
                "core/src/many_blake3.c",
                "core/src/threads.c",
                "core/src/file.c",
                "core/src/file_ahead.c",
                "core/src/file_tree.c",
                "core/src/bytes.c",
                "core/src/alg.c",
                "core/src/many.c",
                "core/src/xor.c",
            },
            incdirs = { "core/include" },
        },
    },
    platforms = {
        unix = {
            modules = {
                ["hashcore.core"] = {
                    libraries = { "pthread" },
                },
            },
        },
    },
}
