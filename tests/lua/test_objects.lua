-- test_objects.lua - the contract of hash objects and one-shots: what they give, what they refuse, what stays as it was.
local T = require "harness"
local hashcore = require "hashcore"
local eq, ok, raises, mod251 = T.eq, T.ok, T.raises, T.mod251

local key32 = mod251(33):sub(2)
-- Every kind of object: a constructor and how long its digest is.
local kinds = {
    { "sha224", function() return hashcore.sha224() end, 28, 64 },
    { "sha256", function() return hashcore.sha256() end, 32, 64 },
    { "hmac-sha224", function() return hashcore.hmac("sha224", "key") end, 28, 64 },
    { "hmac-sha256", function() return hashcore.new("hmac-sha256", { key = "key" }) end, 32, 64 },
    { "blake2b", function() return hashcore.blake2b() end, 64, 128 },
    { "blake2b", function()
        return hashcore.blake2b { digest_size = 20, key = "k", salt = "salt", person = "person" }
    end, 20, 128 },
    { "blake2b", function()
        return hashcore.blake2b { digest_size = 32, fanout = 2, depth = 2, leaf_size = 4096, node_offset = 1, inner_size = 64,
            last_node = true }
    end, 32, 128 },
    { "blake2xb", function() return hashcore.blake2xb { digest_size = 100, key = "k" } end, 100, 128 },
    { "blake3", function() return hashcore.blake3() end, 32, 64 },
    { "blake3", function() return hashcore.blake3 { key = key32 } end, 32, 64 },
    { "blake3", function() return hashcore.blake3 { derive_key_context = "tests 2026" } end, 32, 64 },
}

local function each(f)
    return function()
        for _, kind in ipairs(kinds) do f(kind[2], kind[1], kind[3], kind[4]) end
    end
end

local tests = {
    { "name, sizes, text", each(function(make, name, size, block)
        local h = make()
        eq(h:name(), name)
        eq(h:digest_size(), size)
        eq(h:block_size(), block)
        eq(#h:digest(), size)
        eq(h:hexdigest(), T.hex(h:digest()))
        ok(tostring(h):find("hashcore.hash (" .. name .. ")", 1, true), tostring(h))
        eq(getmetatable(h).__name, "hashcore.hash")
    end) },

    { "digest changes nothing, update may follow", each(function(make)
        local h, g = make(), make()
        local first = h:digest()
        eq(h:digest(), first)
        h:update("abc")
        h:digest()
        eq(h:update("def"):digest(), g:update("abcdef"):digest())
        ok(h:digest() ~= first, "update had no effect")
    end) },

    { "update takes parts and gives the object back", each(function(make)
        local h = make()
        ok(h:update() == h and h:update("a", "", "bc") == h and h:reset() == h, "another object")
        eq(make():update("a", "", "bc"):digest(), make():update("abc"):digest())
        local many = {}
        for i = 1, 100 do many[i] = mod251(i) end
        eq(make():update(T.unpack(many)):digest(), make():update(table.concat(many)):digest())
    end) },

    { "copies are apart", each(function(make)
        local h = make():update(mod251(5000))
        local c = h:copy()
        eq(c:digest(), h:digest())
        c:update("x")
        ok(c:digest() ~= h:digest(), "the copy is tied to its origin")
        eq(h:digest(), make():update(mod251(5000)):digest())
    end) },

    { "reset keeps key and parameters", each(function(make)
        local fresh = make():update("message"):digest()
        local h = make():update(mod251(3000))
        h:digest()
        eq(h:reset():update("message"):digest(), fresh)
        eq(h:reset():digest(), make():digest())
        eq(h:copy():reset():update("message"):digest(), fresh)
    end) },

    -- A BLAKE3 library once lost bytes when a partly full buffer was topped up exactly to a chunk boundary.
    { "buffers filled up to a boundary", each(function(make)
        eq(make():update(mod251(1024):sub(1, 100)):update(mod251(1024):sub(101)):digest(), make():update(mod251(1024)):digest())
        for n = 0, 2100, 21 do
            local whole = make():update(mod251(n)):digest()
            for _, size in ipairs { 1, 63, 64, 65, 1023, 1024, 1025 } do
                if size > 1 or n < 400 then
                    local h, s = make(), mod251(n)
                    for i = 1, n, size do h:update(s:sub(i, i + size - 1)):update("") end
                    eq(h:digest(), whole, ("%d bytes in pieces of %d"):format(n, size))
                end
            end
        end
    end) },

    -- The message given to digest is a common mistake that some libraries ignore.
    { "a message given to digest is refused", each(function(make)
        local h = make():update("abc")
        local before = h:digest()
        for _, f in ipairs { "digest", "hexdigest" } do
            raises({ "bad argument #1 to '" .. f .. "'", "number expected, got string" }, h[f], h, "msg")
            raises({ "bad argument #1 to '" .. f .. "'", "number expected, got string" }, h[f], h, "16")
            raises("number expected, got table", h[f], h, {})
            raises({ "bad argument #2", "seek: number expected, got string" }, h[f], h, nil, "1")
        end
        eq(h:digest(), before)
    end) },

    { "what is no string is refused and absorbs nothing", each(function(make)
        local h = make():update("abc")
        local before = h:digest()
        raises({ "bad argument #1 to 'update'", "string expected, got nil" }, h.update, h, nil)
        raises({ "bad argument #1 to 'update'", "string expected, got number" }, h.update, h, 5)
        raises({ "bad argument #2 to 'update'", "string expected, got boolean" }, h.update, h, "good", true)
        raises({ "bad argument #2 to 'update'", "unknown option 'thread'" }, h.update, h, "good", { thread = 1 })
        raises({ "bad argument #2 to 'update'", "threads: number expected, got string" }, h.update, h, "x", { threads = "2" })
        eq(h:digest(), before)
    end) },

    { "length and offset of fixed digests", function()
        local h = hashcore.sha256():update("abc")
        eq(h:digest(32), h:digest())
        raises({ "bad argument #1 to 'digest'", "31 bytes given, 32 needed" }, h.digest, h, 31)
        raises({ "bad argument #1 to 'digest'", "needed" }, h.digest, h, 1e15)
        raises({ "bad argument #2 to 'digest'", "seek: 1 given" }, h.digest, h, 32, 1)
        raises({ "length: -1 given" }, h.digest, h, -1)
        raises({ "length: 1.5 given" }, h.digest, h, 1.5)
        raises({ "length" }, h.digest, h, 0 / 0)
        raises({ "length" }, h.digest, h, math.huge)
        raises({ "bad argument #1 to 'digest'", "64 needed" }, hashcore.blake2b().digest, hashcore.blake2b(), 32)
    end },

    { "length and offset of long output", function()
        local h = hashcore.blake3():update("abc")
        local long = h:digest(3000)
        eq(h:digest(100, 1000), long:sub(1001, 1100))
        eq(h:digest(nil, 64), long:sub(65, 96))
        eq(h:digest(0), "")
        eq(h:hexdigest(3000), T.hex(long))
        eq(hashcore.digest("blake3", "abc", { digest_size = 100, seek = 1000 }), long:sub(1001, 1100))
        local x = hashcore.blake2xb():update("abc")
        eq(x:digest_size(), nil)
        raises({ "bad argument #1 to 'digest'", "length: needed" }, x.digest, x)
        eq(x:digest(10, 5), x:digest(15):sub(6))
        raises({ "bad argument" }, hashcore.digest, "blake2xb", "abc")
        eq(#hashcore.digest("blake2xb", "abc", { digest_size = 1000 }), 1000)
        raises("seek", hashcore.digest, "sha256", "abc", { seek = 1 })
        if T.integers then
            eq(#h:digest(1, -2), 1) -- 2^64 - 2: the last byte
            raises("bad argument", h.digest, h, 2, -2)
            raises("bad argument", h.digest, h, 1, -1)
        else
            raises("2^53", h.digest, h, 1, 2 ^ 53 + 2)
        end
        eq(#h:digest(1, 2 ^ 53), 1)
    end },

    -- luaL_Buffer lies on the stack from Lua 5.4 on: arguments after it were once misread by a library.
    { "long results with more arguments behind", function()
        for _, n in ipairs { 1, 512, 513, 1024, 1025, 1048576 } do
            local h = hashcore.blake3():update("abc")
            local want = h:digest(n)
            eq(#want, n)
            eq(h:digest(n, 0, "extra", {}, nil, 7), want)
            eq(h:hexdigest(n, 0, "extra", {}, nil, 7), T.hex(want))
            eq(h:reader():read(n, nil, "extra", {}), want)
            eq(hashcore.digest("blake3", "a", "bc", { digest_size = n }), want)
            eq(hashcore.xor(T.zero(n), want, T.zero(n)), want)
            eq(hashcore.xor_mask(want, "\0", 0, "extra", {}), want)
            eq(hashcore.fromhex(hashcore.tohex(want, "extra"), "extra"), want)
        end
    end },

    { "one-shots", function()
        eq(hashcore.hexdigest("sha256", "abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        eq(hashcore.digest("sha256", "a", "b", "c"), hashcore.digest("sha256", "abc"))
        eq(hashcore.digest("sha256"), hashcore.digest("sha256", ""))
        eq(hashcore.hexdigest("SHA-256", "abc"), hashcore.hexdigest("sha256", "abc"))
        eq(hashcore.digest("blake2b512", "abc"), hashcore.digest("blake2b", "abc"))
        eq(hashcore.digest("hmac-sha256", "abc", { key = "k" }), hashcore.hmac("sha256", "k"):update("abc"):digest())
        eq(hashcore.digest("blake3", mod251(300000), { threads = "auto" }), hashcore.digest("blake3", mod251(300000)))
        eq(hashcore.digest("blake3", mod251(3000000), { threads = 3 }), hashcore.blake3():update(mod251(3000000)):digest())
        eq(hashcore.blake3():update(mod251(3000000), { threads = "auto" }):digest(),
            hashcore.blake3():update(mod251(3000000)):digest())
        local parts = {}
        for i = 1, 120 do parts[i] = mod251(i) end
        for _, name in ipairs { "sha256", "blake2b", "blake3" } do
            eq(hashcore.digest(name, T.unpack(parts)), hashcore.digest(name, table.concat(parts)))
        end
    end },

    { "arguments of one-shots", function()
        raises({ "bad argument #1 to 'digest'", "unknown algorithm 'md5'" }, hashcore.digest, "md5", "x")
        raises({ "bad argument #1 to 'digest'", "unknown algorithm" }, hashcore.digest, "sha256\0", "x")
        raises({ "bad argument #1 to 'hexdigest'", "string expected, got no value" }, hashcore.hexdigest)
        raises({ "bad argument #1 to 'new'", "string expected, got number" }, hashcore.new, 256)
        raises({ "bad argument #2 to 'digest'", "string expected, got number" }, hashcore.digest, "sha256", 5)
        raises({ "bad argument #2 to 'digest'", "string expected, got nil" }, hashcore.digest, "sha256", nil)
        raises({ "bad argument #3 to 'digest'", "string expected, got userdata" }, hashcore.digest, "sha256", "a", io.stdout)
        raises({ "bad argument #2 to 'digest'", "string expected, got table" }, hashcore.digest, "sha256", {}, "a")
        raises({ "bad argument #3 to 'digest'", "unknown option 'sault'" }, hashcore.digest, "blake2b", "a", { sault = "x" })
        raises({ "bad argument #3 to 'digest'", "salt: not supported" }, hashcore.digest, "sha256", "a", { salt = "x" })
        raises({ "bad argument #3 to 'digest'", "option names are strings, got number" }, hashcore.digest, "blake2b", "a", { "x" })
        raises({ "key: needed" }, hashcore.digest, "hmac-sha256", "a")
        raises({ "digest_size: 65 bytes given, 1 to 64 allowed" }, hashcore.digest, "blake2b", "a", { digest_size = 65 })
        raises({ "digest_size", "1 to 64 allowed" }, hashcore.digest, "blake2b", "a", { digest_size = 2 ^ 40 })
    end },

    { "options of every kind are checked", function()
        local function refuses(text, options) raises({ "bad argument #1 to 'blake2b'", text }, hashcore.blake2b, options) end
        refuses("key: 65 bytes given, 0 to 64 allowed", { key = mod251(65) })
        refuses("key: string expected, got number", { key = 5 })
        refuses("salt: 17 bytes given, 0 to 16 allowed", { salt = mod251(17) })
        refuses("person: 17 bytes given, 0 to 16 allowed", { person = mod251(17) })
        refuses("digest_size: 0 bytes given, 1 to 64 allowed", { digest_size = 0 })
        refuses("digest_size: number expected, got string", { digest_size = "32" })
        refuses("digest_size: 1.5 given", { digest_size = 1.5 })
        refuses("digest_size: -1 given", { digest_size = -1 })
        refuses("fanout: 256 given, 0 to 255 allowed", { fanout = 256 })
        refuses("depth: 0 given, 1 to 255 allowed", { depth = 0 })
        refuses("inner_size: 65", { inner_size = 65 })
        refuses("leaf_size: 4294967296", { leaf_size = 2 ^ 32 })
        refuses("last_node: boolean expected, got number", { last_node = 1 })
        refuses("derive_key_context: not supported", { derive_key_context = "x" })
        refuses("table expected, got string", "abc")
        refuses("unknown option 'threads'", { threads = 1 })
        refuses("unknown option 'digestsize'", { digestsize = 1 })
        raises({ "bad argument #1 to 'blake3'", "key: 31 bytes given, 32 needed" }, hashcore.blake3, { key = mod251(31) })
        raises("key: 0 bytes given, 32 needed", hashcore.blake3, { key = "" })
        raises("derive_key_context", hashcore.blake3, { key = key32, derive_key_context = "c" })
        raises({ "bad argument #1 to 'blake2xb'", "digest_size" }, hashcore.blake2xb, { digest_size = 2 ^ 32 - 1 })
        raises({ "bad argument #1 to 'blake2xb'", "digest_size: -1 given" }, hashcore.blake2xb, { digest_size = -1 })
        raises({ "bad argument #2 to 'hmac'", "string expected, got no value" }, hashcore.hmac, "sha256")
        raises({ "bad argument #1 to 'hmac'", "HMAC is for sha224 and sha256" }, hashcore.hmac, "blake3", "k")
        raises({ "bad argument #3 to 'digest'", "threads" }, hashcore.digest, "blake3", "", { threads = -2 })
        raises({ "bad argument #3 to 'digest'", "threads" }, hashcore.digest, "blake3", "", { threads = 2 ^ 32 - 1 })
        raises({ "bad argument #3 to 'digest'", "threads: number expected, got string" }, hashcore.digest, "blake3", "",
            { threads = "many" })
        if not T.integers then
            raises("2^53", hashcore.blake2b, { node_offset = 2 ^ 53 + 2 })
        end
        -- An empty key is no key, an empty salt no salt.
        eq(hashcore.digest("blake2b", "a", { key = "", salt = "", person = "" }), hashcore.digest("blake2b", "a"))
        eq(hashcore.blake2b(nil):digest(), hashcore.blake2b({}):digest())
        eq(hashcore.blake2b { salt = "abc" }:digest(), hashcore.blake2b { salt = "abc" .. T.zero(13) }:digest())
        ok(hashcore.blake2b { salt = "abc" }:digest() ~= hashcore.blake2b():digest(), "salt has no effect")
    end },

    { "last blocks of BLAKE2b", function()
        eq(hashcore.hexdigest("blake2b", "", { key = "abc" }), "91cc35fc51ce734eae9e57a20725d68062b0bd6de1965a4b5dc5eb4d60402d02"
            .. "d00b5079b0907775e317fd84a149634253c9d1fd01819e202729affbf47b00e5")
        for _, n in ipairs { 128, 256, 384 } do
            for _, options in ipairs { {}, { key = "abc" } } do
                local h = hashcore.blake2b(options):update(mod251(n):sub(1, 128)):update(mod251(n):sub(129))
                eq(h:digest(), hashcore.digest("blake2b", mod251(n), options))
            end
        end
    end },

    { "closed objects", each(function(make, name)
        local h = make():update("abc")
        h:close()
        h:close()
        ok(tostring(h):find("closed", 1, true), tostring(h))
        for _, method in ipairs { "update", "digest", "hexdigest", "copy", "reset", "reader", "export", "name", "digest_size",
            "block_size" } do
            raises({ "calling '" .. method .. "' on a closed hashcore.hash" }, h[method], h, "x")
        end
        getmetatable(h).__gc(h) -- finalizers may run twice
        getmetatable(h).__gc(h)
        collectgarbage()
        collectgarbage()
        if getmetatable(h).__close then getmetatable(h).__close(h, nil) end
        raises("closed", h.update, h, name)
    end) },

    { "bad self", function()
        local h, r = hashcore.sha256(), hashcore.blake3():reader()
        raises({ "calling 'update' on bad self (hashcore.hash expected, got string)" }, h.update, "x", "y")
        raises({ "calling 'digest' on bad self (hashcore.hash expected, got no value)" }, h.digest)
        raises("bad self", h.digest, r)
        raises("bad self", h.digest, io.stdout)
        raises("bad self", r.read, h, 5)
        raises("bad self", getmetatable(h).__gc, r)
        raises("bad self", getmetatable(h).__gc, nil)
        raises("bad self", getmetatable(r).__tostring, h)
    end },

    { "variables that close", function()
        if _VERSION < "Lua 5.4" then T.skip("Lua 5.4 has them first") end
        local f = T.load [[
            local hashcore = require "hashcore"
            local kept
            do
                local h <close> = hashcore.sha256()
                h:update("abc")
                kept = h
            end
            return kept]]
        raises("closed", f().digest, f())
    end },

    { "errors say where", function()
        local f = T.load('local hashcore = require "hashcore"\nhashcore.digest("nope", "x")\n return 1', "=chunk")
        raises("chunk:2: bad argument #1 to 'digest' (unknown algorithm 'nope')", f)
    end },

    { "algorithms, cpu, version", function()
        local list = hashcore.algorithms()
        eq(table.concat(list, " "), "sha224 sha256 hmac-sha224 hmac-sha256 blake2b blake2xb blake3")
        list[1] = "changed"
        eq(hashcore.algorithms()[1], "sha224")
        for _, name in ipairs(hashcore.algorithms()) do
            local h = hashcore.new(name, name:find("^hmac") and { key = "k" } or nil)
            eq(h:name(), name)
            ok(name:find("-", 1, true) or type(hashcore[name]) == "function", name)
        end
        local cpu = hashcore.cpu()
        ok(cpu.detected ~= "" and cpu.enabled ~= "", "no levels")
        ok(cpu.kernels["xor.two"], "no kernels")
        ok(hashcore.version:match("^%d+%.%d+%.%d+$") and hashcore._VERSION == "hashcore " .. hashcore.version)
    end },

    -- 2^32 bits is where a 32-bit bit counter wraps.
    { "512 MiB and a byte", function()
        T.slow()
        local block = T.zero(1048576)
        local h = hashcore.sha256()
        for _ = 1, 511 do h:update(block) end
        eq(h:copy():update(block:sub(2)):hexdigest(), "bf7f45d9df691bd277948d7f124b87a9f76e16ddb5d8fb25a49df939798f0a01")
        h:update(block)
        eq(h:hexdigest(), "9acca8e8c22201155389f65abbf6bc9723edc7384ead80503839f49dcc56d767")
        eq(h:copy():update("\0"):hexdigest(), "7c40fe5ce847740d0f0d0cdde3949d6585804cdec3ae61a15b923165699c8137")
        for _ = 1, 25 do h:update(block) end
        eq(h:update(block:sub(1, 112 * 1024)):hexdigest(),
            "3897f3e953cd056063a00956ebf24c41be4dc99baf77e367c94be7f08a670cba")
        local many = hashcore.digest_many("sha256", { "abc", T.zero(536870912), "" }) -- the lanes count for themselves
        eq(T.hex(many:sub(33, 64)), "9acca8e8c22201155389f65abbf6bc9723edc7384ead80503839f49dcc56d767")
        eq(many:sub(1, 32) .. many:sub(65), hashcore.digest("sha256", "abc") .. hashcore.digest("sha256"))
    end },
}
return tests
