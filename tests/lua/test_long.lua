-- test_long.lua - readers of long output, BLAKE3 trees, state images.
local T = require "harness"
local hashcore = require "hashcore"
local eq, ok, raises, mod251 = T.eq, T.ok, T.raises, T.mod251
local tree = hashcore.tree
local key32 = mod251(40):sub(5, 36)
local modes = { {}, { key = key32 }, { derive_key_context = "tests" } }

return {
    -- A widely used package gives wrong bytes after a seek to 64 and more within a block of 1024.
    { "reads after a seek", function()
        for _, options in ipairs(modes) do
            local h = hashcore.blake3(options):update(mod251(3000))
            local long = h:digest(6000)
            local r = h:reader()
            for offset = 0, 5900, 13 do
                eq(r:seek("set", offset), offset)
                eq(r:read(100), long:sub(offset + 1, offset + 100), "at " .. offset)
                eq(r:tell(), offset + 100 > 6000 and 6000 or offset + 100)
                eq(h:digest(130, offset):sub(1, 90), long:sub(offset + 1, offset + 90))
            end
            r:seek("set", 1087)
            local pieces = {}
            for i = 1, 100 do pieces[i] = r:read(7) end
            eq(table.concat(pieces), long:sub(1088, 1787))
            eq(r:read(0), "")
            eq(r:read(1000, { threads = 2 }), long:sub(1788, 2787))
        end
    end },

    { "seek as files have it", function()
        local r = hashcore.blake3():reader()
        eq(r:tell(), 0)
        eq(r:seek(), 0)
        eq(r:seek("set", 100), 100)
        eq(r:seek("cur", 20), 120)
        eq(r:seek("cur", -50), 70)
        eq(r:seek("cur"), 70)
        eq(r:seek(5), 5)
        eq(r:seek("set"), 0)
        raises({ "bad argument #2 to 'seek'", "between 0 and the end" }, r.seek, r, "cur", -1)
        raises({ "bad argument #1 to 'seek'", "whence" }, r.seek, r, "begin")
        raises({ "bad argument #2 to 'seek'", "offset: number expected, got string" }, r.seek, r, "set", "5")
        raises({ "bad argument #1 to 'seek'" }, r.seek, r, {})
        raises("offset", r.seek, r, "cur", 0.5)
        raises({ "bad argument #1 to 'read'", "length: number expected, got no value" }, r.read, r)
        raises({ "bad argument #1 to 'read'", "-1 given" }, r.read, r, -1)
        raises({ "bad argument #2 to 'read'", "unknown option 'seek'" }, r.read, r, 1, { seek = 1 })
        eq(r:tell(), 0)
        eq(r:seek("set", 2 ^ 53), 2 ^ 53)
        if T.integers then
            eq(r:seek("set", -2), -2) -- 2^64 - 2
            eq(#r:read(100), 1)
            eq(r:read(100), "")
            eq(r:tell(), -1)
            eq(r:seek("end"), -1)
            eq(r:seek("end", -64), -65)
            eq(#r:read(100), 64)
            raises("between 0 and the end", r.seek, r, "end", 1)
            eq(r:seek("set", math.mininteger), math.mininteger)
            eq(#r:read(10), 10)
        else
            raises("2^53", r.seek, r, "cur", 2)
            raises("2^53", r.seek, r, "set", 2 ^ 53 + 2)
            raises("2^53", r.seek, r, "end")
            eq(r:tell(), 2 ^ 53)
            eq(#r:read(10), 10)
            eq(r:tell(), nil)
            eq(r:seek("cur", -10), 2 ^ 53)
        end
    end },

    -- A step back once went through a double: one off beyond 2^53, and math.mininteger was refused.
    { "steps of every size are exact", function()
        local r = hashcore.blake3():reader()
        local function step(from, whence, offset, to)
            r:seek("set", from)
            local where = ("%s: %s, %s"):format(tostring(from), whence, tostring(offset))
            eq(r:seek(whence, offset), to, where)
            eq(r:tell(), to, where)
        end
        step(2 ^ 53, "cur", -2 ^ 53, 0)
        step(2 ^ 53, "cur", -2 ^ 53 + 1, 1)
        step(5, "cur", 2 ^ 53 - 5, 2 ^ 53)
        raises({ "bad argument #2 to 'seek'", "2^53" }, r.seek, r, "cur", -2 ^ 53 - 2)
        raises({ "bad argument #2 to 'seek'", "2^53" }, r.seek, r, "cur", -0.5)
        raises({ "bad argument #2 to 'seek'", "2^53" }, r.seek, r, "cur", -math.huge)
        eq(r:tell(), 2 ^ 53)
        if not T.integers then return end
        local max, min, p53 = math.maxinteger, math.mininteger, math.tointeger(2 ^ 53)
        for _, n in ipairs { 1, p53 - 1, p53, p53 + 1, p53 + 3, max - 1, max } do
            step(-1, "cur", -n, -1 - n)
            step(-1, "end", -n, -1 - n)
            step(n, "cur", -n, 0)
            step(0, "cur", n, n)
            step(min, "cur", n, min + n) -- 2^63 + n
            r:seek("set", n - 1)
            raises({ "bad argument #2 to 'seek'", "between 0 and the end" }, r.seek, r, "cur", -n)
            eq(r:tell(), n - 1)
        end
        step(min, "cur", min, 0) -- 2^63 back
        step(-1, "cur", min, max)
        step(-1, "end", min, max)
        r:seek("set", max)
        raises({ "bad argument #2 to 'seek'", "between 0 and the end" }, r.seek, r, "cur", min)
        r:seek("set", -1)
        raises({ "bad argument #2 to 'seek'", "between 0 and the end" }, r.seek, r, "cur", 1)
    end },

    { "the end of BLAKE2Xb", function()
        local h = hashcore.blake2xb { digest_size = 100 }:update("abc")
        local r = h:reader()
        eq(r:read(1000), h:digest())
        eq(r:read(1), "")
        eq(r:seek("end", -10), 90)
        eq(r:read(64), h:digest():sub(91))
        raises("between 0 and the end", r.seek, r, "set", 101)
        eq(hashcore.blake2xb():update("abc"):reader():read(10), hashcore.blake2xb():update("abc"):digest(10))
        raises({ "bad argument" }, hashcore.sha256().reader, hashcore.sha256())
    end },

    { "readers copy, close and are apart from their object", function()
        local h = hashcore.blake3 { key = key32 }:update("abc")
        local r = h:reader()
        local want = h:digest(300)
        h:update("more"):reset():close()
        eq(r:read(100), want:sub(1, 100))
        local c = r:copy()
        eq(c:tell(), 100)
        eq(r:read(100), want:sub(101, 200))
        eq(c:read(200), want:sub(101))
        ok(tostring(r):find("hashcore.reader (blake3)", 1, true), tostring(r))
        r:close()
        r:close()
        ok(tostring(r):find("closed", 1, true))
        for _, method in ipairs { "read", "seek", "tell", "copy" } do
            raises("calling '" .. method .. "' on a closed hashcore.reader", r[method], r, 1)
        end
        getmetatable(r).__gc(r)
        getmetatable(r).__gc(r)
        eq(c:seek("set"), 0)
        eq(getmetatable(r).__name, "hashcore.reader")
    end },

    { "threads give the same output", function()
        local mib = 1048576
        for _, options in ipairs(modes) do
            local h = hashcore.blake3(options):update(mod251(3000))
            local long = h:digest(3 * mib + 77)
            for _, threads in ipairs { 1, 2, 3, "auto" } do
                local r, where = h:reader(), tostring(threads)
                ok(r:read(#long, { threads = threads }) == long, where)
                eq(r:tell(), #long)
                r:seek("set", 12345) -- within a block
                ok(r:read(2 * mib + 1, { threads = threads }) == long:sub(12346, 2 * mib + 12346), where)
                local all = { digest_size = 2 * mib + 5, seek = mib - 3, threads = threads }
                for k, v in pairs(options) do all[k] = v end
                ok(hashcore.digest("blake3", mod251(3000), all) == long:sub(mib - 2, 3 * mib + 2), where)
            end
        end
        local h = hashcore.blake2xb { key = "k" }:update("abc")
        local long = h:digest(2 * mib + 33)
        for _, threads in ipairs { 1, 2, "auto" } do
            local r = h:reader()
            ok(r:read(#long, { threads = threads }) == long)
            r:seek("set", 70001)
            ok(r:read(mib, { threads = threads }) == long:sub(70002, mib + 70001))
        end
    end },

    { "trees from pieces", function()
        local pick = T.random(7)
        for _, options in ipairs(modes) do
            for _, n in ipairs { 1025, 2048, 2049, 3072, 5000, 16384, 65537, 100000 } do
                local data = mod251(n)
                local with = {}
                for k, v in pairs(options) do with[k] = v end
                local function value(from, length) -- as the tree divides, or in one piece
                    local left = tree.left_len(length)
                    if left == 0 or pick(3) == 0 then
                        return tree.subtree(data:sub(from + 1, from + length), from / 1024, options)
                    end
                    return tree.parent(value(from, left), value(from + left, length - left), options)
                end
                local left = tree.left_len(n)
                local values = value(0, left) .. value(left, n - left)
                eq(tree.root(values, options), hashcore.digest("blake3", data, options), n .. " bytes")
                with.digest_size, with.seek = 100, 70
                eq(tree.root(values, with), hashcore.digest("blake3", data, with))
                -- Equal pieces of a power of two.
                local list, size = {}, 1024
                for i = 0, n - 1, size do
                    list[#list + 1] = tree.subtree(data:sub(i + 1, i + size), i / 1024, options)
                end
                eq(tree.root(list, options), hashcore.digest("blake3", data, options))
            end
        end
        eq(tree.subtree(mod251(300000), 0, { threads = 2 }), tree.subtree(mod251(300000), 0))
    end },

    { "sizes in trees", function()
        eq(tree.left_len(0), 0)
        eq(tree.left_len(1024), 0)
        eq(tree.left_len(1025), 1024)
        eq(tree.left_len(4096), 2048)
        eq(tree.left_len(4097), 4096)
        eq(tree.subtree_max(1), 1024)
        eq(tree.subtree_max(6), 2048)
        eq(tree.subtree_max(4096), 4096 * 1024)
    end },

    { "arguments of trees", function()
        raises({ "bad argument #1 to 'subtree'" }, tree.subtree, "", 0)
        raises({ "bad argument #1 to 'subtree'" }, tree.subtree, mod251(1025), 1)
        raises({ "bad argument #2 to 'subtree'", "first_chunk: number expected, got string" }, tree.subtree, "a", "0")
        raises({ "bad argument #2 to 'subtree'", "first_chunk: 0.5 given" }, tree.subtree, "a", 0.5)
        raises({ "bad argument #3 to 'subtree'", "key: 3 bytes given, 32 needed" }, tree.subtree, "a", 0, { key = "abc" })
        raises({ "bad argument #3 to 'subtree'", "unknown option 'salt'" }, tree.subtree, "a", 0, { salt = "abc" })
        raises({ "bad argument #1 to 'parent'", "left: 3 bytes given, 32 needed" }, tree.parent, "abc", key32)
        raises({ "bad argument #2 to 'parent'", "right: 31 bytes given, 32 needed" }, tree.parent, key32, mod251(31))
        local blames = T.blames
        blames({ "#1 to 'root'" }, tree.root, key32)
        blames({ "#1 to 'root'" }, tree.root, "")
        blames({ "#1 to 'root'" }, tree.root, {})
        blames({ "#1 to 'root'", "32 bytes" }, tree.root, mod251(65))
        blames({ "#1 to 'root'", "32 bytes" }, tree.root, { key32, key32 .. "x" })
        blames({ "#1 to 'root'", "string expected, got number" }, tree.root, 5)
        blames({ "#1 to 'root'", "string expected, got nil" }, tree.root)
        -- A number is no string, though one of 32 digits would join to 32 bytes.
        blames({ "#1 to 'root'", "item 2: string expected, got number" }, tree.root, { key32, 5 })
        blames({ "#1 to 'root'", "item 1: string expected, got table" }, tree.root, { {}, key32 })
        blames({ "#1 to 'root'", "item 3: string expected, got boolean" }, tree.root, { key32, key32, false })
        blames({ "#2 to 'root'", "unknown option 'threads'" }, tree.root, mod251(64), { threads = 1 })
        blames({ "#2 to 'root'", "table expected, got string" }, tree.root, { key32, key32 }, "key")
        blames({ "#2 to 'root'", "key: 3 bytes given, 32 needed" }, tree.root, { key32, key32 }, { key = "abc" })
    end },

    { "state images", function()
        for _, name in ipairs(hashcore.algorithms()) do
            local options = (name:find("^hmac") or name == "blake3") and { key = key32 } or name == "blake2b"
                and { digest_size = 20, salt = "s" } or name == "blake2xb" and { digest_size = 70 } or nil
            for _, n in ipairs { 0, 1, 63, 64, 65, 128, 129, 1023, 1024, 1025, 5000, 100000 } do
                local h = hashcore.new(name, options):update(mod251(n))
                local image = h:export()
                local again = hashcore.import(name, image)
                eq(again:digest(), h:digest(), name .. " after " .. n)
                eq(again:update("more"):digest(), h:copy():update("more"):digest())
                eq(again:reset():update("x"):digest(), hashcore.new(name, options):update("x"):digest())
                eq(hashcore.import(name, image):export(), image)
                for i = 1, #image, 7 do -- any change is refused, and so is another length
                    local bad = image:sub(1, i - 1) .. string.char((image:byte(i) + 1) % 256) .. image:sub(i + 1)
                    raises({ "bad argument #2 to 'import'" }, hashcore.import, name, bad)
                end
                raises("bad argument #2 to 'import'", hashcore.import, name, image .. "\0")
                raises("bad argument #2 to 'import'", hashcore.import, name, image:sub(1, -2))
            end
        end
        local image = hashcore.sha256():update("abc"):export()
        raises({ "bad argument #2 to 'import'" }, hashcore.import, "sha224", image)
        raises({ "bad argument #2 to 'import'" }, hashcore.import, "sha256", "")
        raises({ "bad argument #2 to 'import'", "string expected, got nil" }, hashcore.import, "sha256", nil)
        raises({ "bad argument #1 to 'import'", "unknown algorithm" }, hashcore.import, "md5", image)
    end },

    { "state images of Go", function()
        local h = hashcore.sha256():update(mod251(100))
        local image = h:export("go")
        eq(#image, 108)
        eq(image:sub(1, 4), "sha\3")
        eq(hashcore.import("sha256", image):update("x"):digest(), hashcore.digest("sha256", mod251(100), "x"))
        -- After "abc": the eight starting words, the buffered bytes, the length.
        eq(T.hex(hashcore.sha256():update("abc"):export("go")), "736861036a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c"
            .. "1f83d9ab5be0cd19616263" .. ("0"):rep(122) .. "0000000000000003")
        local b = hashcore.blake2b { digest_size = 48 }:update(mod251(300))
        eq(#b:export("go"), 213)
        eq(hashcore.import("blake2b", b:export("go")):digest(), b:digest())
        raises({ "bad argument #1 to 'export'" }, h.export, h, "rust")
        raises({ "bad argument #1 to 'export'" }, h.export, h, 1)
        local keyed = hashcore.blake2b { key = "k" }
        raises({ "bad argument #1 to 'export'" }, keyed.export, keyed, "go")
        raises({ "bad argument #1 to 'export'" }, keyed.export, hashcore.blake3(), "go")
    end },
}
