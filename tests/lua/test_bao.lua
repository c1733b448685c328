-- test_bao.lua - verified streaming: encodings, outboards, slices, hostile input.
local T = require "harness"
local hashcore = require "hashcore"
local eq, ok, raises, mod251 = T.eq, T.ok, T.raises, T.mod251
local bao = hashcore.bao
local key32 = mod251(40):sub(5, 36)

local function file(bytes)
    local f = assert(io.tmpfile())
    f:write(bytes or "")
    f:seek("set", 0)
    return f
end
local function contents(f)
    f:seek("set", 0)
    local s = f:read("*a")
    f:close()
    return s
end

local lengths = { 0, 1, 1023, 1024, 1025, 2048, 2049, 3072, 3073, 4097, 16384, 16385, 65537 }

return {
    { "the root is the digest", function()
        for _, n in ipairs(lengths) do
            for _, options in ipairs { {}, { key = key32 }, { group = 4 }, { group = 10, derive_key_context = "tests" } } do
                local data = mod251(n)
                local encoding, root = bao.encode(data, options)
                eq(root, hashcore.digest("blake3", data, { key = options.key, derive_key_context = options.derive_key_context }))
                eq(#encoding, bao.size(n, { group = options.group }))
                eq(bao.decode(encoding, root, options), data)
                options.outboard = true
                local outboard, root2 = bao.encode(data, options)
                eq(root2, root)
                eq(#outboard, bao.size(n, { group = options.group, outboard = true }))
                options.outboard = outboard
                eq(bao.decode(data, root, options), data)
            end
        end
    end },

    { "known encodings", function()
        local encoding, root = bao.encode("")
        eq(T.hex(encoding), "0000000000000000")
        eq(T.hex(root), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262")
        encoding = bao.encode(mod251(1025))
        -- The length, the one parent (two chaining values), the two chunks.
        eq(encoding, "\1\4\0\0\0\0\0\0" .. hashcore.tree.subtree(mod251(1024), 0)
            .. hashcore.tree.subtree(mod251(1025):sub(1025), 1) .. mod251(1025))
        eq(bao.size(1048576), 1114056)
        eq(bao.size(1048576, { outboard = true }), 65480)
    end },

    { "files", function()
        for _, n in ipairs { 0, 1, 5000, 200000 } do
            local data = mod251(n)
            local encoding, root = bao.encode(data)
            local out = file()
            local done, root2 = bao.encode(file(data), { output = out })
            ok(done == true and root2 == root)
            eq(contents(out), encoding)
            out = file()
            bao.encode(file(data), { output = out, outboard = true, group = 2 })
            local outboard = contents(out)
            eq(outboard, (bao.encode(data, { outboard = true, group = 2 })))
            out = file()
            eq(bao.decode(file(encoding), root, { output = out }), true)
            eq(contents(out), data)
            eq(bao.decode(file(data), root, { outboard = file(outboard), group = 2 }), data)
            out = file()
            eq(bao.slice(file(encoding), 1000, 3000, { output = out }), true)
            eq(bao.decode_slice(file(contents(out)), root, 1000, 3000), data:sub(1001, 4000))
        end
        local encoding, root = bao.encode("data")
        local f = file(encoding)
        f:seek("set", 3) -- files are read from their start, as encode does
        eq(bao.decode(f, root), "data")
        f:close()
        local f2
        f, f2 = file("x"), file("x")
        f:close()
        raises({ "bad argument #1 to 'encode'", "string or file expected" }, bao.encode, f)
        raises({ "bad argument #1 to 'encode'" }, bao.encode, nil)
        raises({ "output: file expected, got string" }, bao.encode, "x", { output = "name" })
        raises({ "output: file expected, got number" }, bao.decode, "x", key32, { output = 5 })
        f2:close()
    end },

    { "parts and slices", function()
        for _, n in ipairs { 0, 1, 1024, 1025, 5000, 20000 } do
            local data = mod251(n)
            for _, group in ipairs { 0, 2 } do
                local options = { group = group }
                local encoding, root = bao.encode(data, options)
                local outboard = bao.encode(data, { group = group, outboard = true })
                for _, start in ipairs { 0, 1, 1023, 1024, 2500, n - 1, n, n + 5, 2 ^ 40 } do
                    for _, length in ipairs { 0, 1, 1024, 3000, 2 ^ 40 } do
                        if start >= 0 then
                            local want = data:sub(math.min(start, n) + 1, math.min(start + length, n))
                            local where = ("%d bytes, %.0f + %.0f"):format(n, start, length)
                            eq(bao.decode(encoding, root, { group = group, start = start, length = length }), want, where)
                            local slice = bao.slice(encoding, start, length, options)
                            eq(bao.decode_slice(slice, root, start, length, options), want, where)
                            eq(bao.slice(data, start, length, { group = group, outboard = outboard }), slice, where)
                            local got, message = bao.decode_slice(slice, hashcore.digest("blake3", data, "x"), start, length,
                                options)
                            ok(got == nil and type(message) == "string", where)
                        end
                    end
                end
            end
        end
    end },

    -- start + length once wrapped, and verified data were lost without an error.
    { "ranges to the last offset", function()
        local huge = { 2 ^ 52, 2 ^ 53 - 1, 2 ^ 53 }
        if T.integers then
            for _, n in ipairs { 0, 1, 99, 100, 1023, 1024, 4999, 5000, 5001 } do
                huge[#huge + 1] = math.maxinteger - n
                huge[#huge + 1] = math.mininteger + n -- 2^63 + n
                huge[#huge + 1] = -1 - n -- 2^64 - 1 - n
            end
        end
        for _, n in ipairs { 0, 1, 1024, 5000 } do
            local data = mod251(n)
            local encoding, root = bao.encode(data)
            local outboard = bao.encode(data, { outboard = true })
            local function check(start, length, want)
                local where = ("%d bytes, %s + %s"):format(n, tostring(start), tostring(length))
                eq(bao.decode(encoding, root, { start = start, length = length }), want, where)
                eq(bao.decode(data, root, { start = start, length = length, outboard = outboard }), want, where)
                local slice = bao.slice(encoding, start, length)
                eq(bao.slice(data, start, length, { outboard = outboard }), slice, where)
                eq(bao.decode_slice(slice, root, start, length), want, where)
            end
            for _, far in ipairs(huge) do
                for _, start in ipairs { 0, 1, 100, 1023, 1024, 4096, 4999, 5000, 5001 } do
                    check(start, far, data:sub(start + 1))
                end
                for _, length in ipairs { 0, 1, 100, 5000, 2 ^ 53 } do check(far, length, "") end
                for _, length in ipairs(huge) do check(far, length, "") end
                check(far, nil, "")
            end
        end
        local data = mod251(5000)
        local encoding, root = bao.encode(data)
        if T.integers then
            -- The sizes of data and encodings that no file has; offsets of such are no place to read from.
            eq(bao.size(-1, { outboard = true, group = 10 }), 8 + 64 * (2 ^ 44 - 1))
            raises({ "bad argument #1 to 'size'", "data_len: 18446744073709551615 given" }, bao.size, -1)
            local w = bao.walker(false, nil, nil, -2, -1)
            w:put(("\255"):rep(6) .. "\0\0")
            eq(w:next(), "parent")
            for _, length in ipairs { "\255\255\255\255\255\255\255\127", "\0\0\0\0\0\0\0\128", ("\255"):rep(7) .. "\225" } do
                for _, start in ipairs { math.maxinteger, math.maxinteger - 1023, math.mininteger, -1 } do
                    local got, message = bao.slice(length .. encoding:sub(9), start, 1)
                    ok(got == nil and type(message) == "string")
                    got, message = bao.slice(data, start, 1, { outboard = length .. encoding:sub(9) })
                    ok(got == nil and type(message) == "string")
                end
            end
        else
            for _, n in ipairs { -1, 2 ^ 53 + 2, 2 ^ 63 } do
                raises({ "bad argument #3 to 'decode'", "start", "2^53" }, bao.decode, encoding, root, { start = n })
                raises({ "bad argument #3 to 'slice'", "length", "2^53" }, bao.slice, encoding, 0, n)
                raises({ "bad argument #4 to 'decode_slice'", "length", "2^53" }, bao.decode_slice, encoding, root, 0, n)
                raises({ "bad argument #1 to 'size'", "length", "2^53" }, bao.size, n)
            end
        end
        for _, n in ipairs { 0.5, -0.5, -2 ^ 53, 2 ^ 53 + 2, 2 ^ 63, math.huge, 0 / 0 } do -- doubles do not wrap
            raises({ "bad argument #3 to 'decode'", "start", "2^53" }, bao.decode, encoding, root, { start = n })
            raises({ "bad argument #3 to 'slice'", "length", "2^53" }, bao.slice, encoding, 0, n)
            raises({ "bad argument #3 to 'decode_slice'", "start", "2^53" }, bao.decode_slice, encoding, root, n, 0)
        end
    end },

    { "every flipped bit is seen", function()
        for _, n in ipairs { 0, 1, 1025, 2500 } do
            local data = mod251(n)
            local encoding, root = bao.encode(data)
            local outboard = bao.encode(data, { outboard = true })
            local step = n > 1000 and 5 or 1
            for i = 1, #encoding, step do
                local bad = encoding:sub(1, i - 1) .. hashcore.xor(encoding:sub(i, i), string.char(2 ^ (i % 8)))
                    .. encoding:sub(i + 1)
                local got, message = bao.decode(bad, root)
                ok(got == nil and type(message) == "string", ("byte %d of %d"):format(i, n))
            end
            for i = 1, #outboard do
                local bad = outboard:sub(1, i - 1) .. hashcore.xor(outboard:sub(i, i), "\128") .. outboard:sub(i + 1)
                ok(bao.decode(data, root, { outboard = bad }) == nil, ("outboard byte %d of %d"):format(i, n))
            end
        end
    end },

    { "every cut and every tail is seen", function()
        local data = mod251(2100)
        local encoding, root = bao.encode(data)
        for i = 0, #encoding - 1, 7 do
            local got, message = bao.decode(encoding:sub(1, i), root)
            ok(got == nil and type(message) == "string", "cut at " .. i)
        end
        ok(bao.decode(encoding .. "\0", root) == nil, "a tail is taken")
        local slice = bao.slice(encoding, 100, 1000)
        for i = 0, #slice - 1, 7 do ok(bao.decode_slice(slice:sub(1, i), root, 100, 1000) == nil, "slice cut at " .. i) end
        ok(bao.decode_slice(slice .. "\0", root, 100, 1000) == nil, "a slice with a tail is taken")
        local outboard = bao.encode(data, { outboard = true })
        ok(bao.decode(data .. "x", root, { outboard = outboard }) == nil, "data with a tail are taken")
        ok(bao.decode(data:sub(1, -2), root, { outboard = outboard }) == nil, "cut data are taken")
        ok(bao.decode(data, root, { outboard = outboard .. "x" }) == nil, "an outboard with a tail is taken")
        -- Only verified bytes come out: the first chunk, then the error.
        local out = file()
        local bad = encoding:sub(1, -2) .. hashcore.xor(encoding:sub(-1), "\1")
        ok(bao.decode(bad, root, { output = out }) == nil)
        eq(contents(out), data:sub(1, 2048))
    end },

    { "lengths and offsets that are lies", function()
        local root = hashcore.digest("blake3", "")
        for _, header in ipairs { ("\255"):rep(8), ("\0"):rep(7) .. "\128", "\255\255\255\255\255\255\255\127",
            ("\0"):rep(6) .. "\32\0", "\1\0\0\0\0\0\0\0" } do
            for _, tail in ipairs { "", mod251(64), mod251(5000) } do
                ok(bao.decode(header .. tail, root) == nil, "a lie is taken")
                ok(bao.decode_slice(header .. tail, root, 0, 0) == nil)
                ok(bao.decode_slice(header .. tail, root, 2 ^ 53, 2 ^ 53) == nil)
                ok(bao.decode(tail, root, { outboard = header }) == nil)
                bao.slice(header .. tail, 0, 1) -- verifies nothing, must only end
                bao.slice(header .. tail, 2 ^ 53, 2 ^ 53)
            end
        end
        raises({ "bad argument #2 to 'slice'", "start: number expected, got string" }, bao.slice, "", "0", 1)
        raises({ "bad argument #3 to 'decode'", "length: number expected, got table" }, bao.decode, "", root, { length = {} })
        raises({ "root: string expected, got nil" }, bao.decode, "")
        raises({ "bad argument #2 to 'decode'", "root: 3 bytes given, 32 needed" }, bao.decode, "", "abc")
        raises({ "bad argument #2 to 'decode_slice'", "root: 3 bytes given" }, bao.decode_slice, "", "abc", 0, 1)
        raises({ "bad argument #3 to 'decode'", "group: 11" }, bao.decode, "", root, { group = 11 })
        raises({ "bad argument #4 to 'slice'", "group: 11" }, bao.slice, "", 0, 1, { group = 11 })
        raises({ "bad argument #5 to 'decode_slice'", "unknown option 'chunk'" }, bao.decode_slice, "", root, 0, 1, { chunk = 1 })
        raises({ "root: string expected, got number" }, bao.decode_slice, "", 5, 0, 1)
        raises({ "bad argument #2 to 'encode'", "group: 11" }, bao.encode, "", { group = 11 })
        raises({ "group" }, bao.encode, "", { group = 2 ^ 33 })
        raises({ "unknown option 'chunk'" }, bao.encode, "", { chunk = 1 })
        raises({ "key: 3 bytes given, 32 needed" }, bao.encode, "", { key = "abc" })
    end },

    { "errors blame the caller, by name and argument", function()
        local blames = T.blames
        local encoding, root = bao.encode("abc")
        local closed = file()
        closed:close()
        for _, options in ipairs { 5, "group", true, print, closed } do -- never an index of what is no table
            local text = "table expected, got " .. type(options)
            blames({ "#2 to 'encode'", text }, bao.encode, "abc", options)
            blames({ "#3 to 'decode'", text }, bao.decode, encoding, root, options)
            blames({ "#4 to 'slice'", text }, bao.slice, encoding, 0, 1, options)
            blames({ "#5 to 'decode_slice'", text }, bao.decode_slice, encoding, root, 0, 1, options)
            blames({ "#2 to 'size'", text }, bao.size, 1, options)
            blames({ "#3 to 'walker'", text }, bao.walker, false, root, options)
        end
        for _, case in ipairs { { { group = 11 }, "group: 11 given, 0 to 10 allowed" }, { { key = "abc" }, "key: 3 bytes given" },
            { { group = "1" }, "group: number expected, got string" }, { { chunk = 1 }, "unknown option 'chunk'" },
            { { 1 }, "option names are strings" }, { { output = "x" }, "output: file expected, got string" },
            { { output = false }, "output: file expected, got boolean" }, { { output = closed }, "got closed file" } } do
            local options, text = case[1], case[2]
            blames({ "#2 to 'encode'", text }, bao.encode, "abc", options)
            blames({ "#3 to 'decode'", text }, bao.decode, encoding, root, options)
            blames({ "#4 to 'slice'", text }, bao.slice, encoding, 0, 1, options)
            blames({ "#5 to 'decode_slice'", text }, bao.decode_slice, encoding, root, 0, 1, options)
        end
        for _, source in ipairs { 5, true, {}, print, closed } do
            local text = "string or file expected, got " .. (source == closed and "closed file" or type(source))
            blames({ "#1 to 'encode'", text }, bao.encode, source)
            blames({ "#1 to 'decode'", text }, bao.decode, source, root)
            blames({ "#1 to 'slice'", text }, bao.slice, source, 0, 1)
            blames({ "#1 to 'decode_slice'", text }, bao.decode_slice, source, root, 0, 1)
            blames({ "#3 to 'decode'", "outboard: " .. text }, bao.decode, "abc", root, { outboard = source })
            blames({ "#4 to 'slice'", "outboard: " .. text }, bao.slice, "abc", 0, 1, { outboard = source })
        end
        blames({ "#2 to 'encode'", "outboard: boolean expected, got string" }, bao.encode, "abc", { outboard = "" })
        for _, f in ipairs { { bao.decode, "decode" }, { bao.decode_slice, "decode_slice" } } do
            blames({ "#2 to '" .. f[2], "root: string expected, got nil" }, f[1], encoding)
            blames({ "#2 to '" .. f[2], "root: string expected, got number" }, f[1], encoding, 5)
            blames({ "#2 to '" .. f[2], "root: 3 bytes given, 32 needed" }, f[1], encoding, "abc")
        end
        blames({ "#3 to 'decode'", "start: 0.5 given" }, bao.decode, encoding, root, { start = 0.5 })
        blames({ "#3 to 'decode'", "length: number expected, got string" }, bao.decode, encoding, root, { length = "1" })
        blames({ "#2 to 'slice'", "start: number expected, got string" }, bao.slice, encoding, "0", 1)
        blames({ "#3 to 'slice'", "length: 0.5 given" }, bao.slice, encoding, 0, 0.5)
        blames({ "#3 to 'decode_slice'", "start: 0.5 given" }, bao.decode_slice, encoding, root, 0.5, 1)
        blames({ "#4 to 'decode_slice'", "length: number expected, got table" }, bao.decode_slice, encoding, root, 0, {})
        blames({ "#1 to 'size'", "length: number expected, got no value" }, bao.size)
        blames({ "#1 to 'size'", "length: 0.5 given" }, bao.size, 0.5)
        blames({ "#2 to 'size'", "group: 11 given, 0 to 10 allowed" }, bao.size, 5, { group = 11 })
        blames({ "#2 to 'walker'", "root: 3 bytes given" }, bao.walker, false, "abc")
        blames({ "#4 to 'walker'", "start: 0.5 given" }, bao.walker, false, root, nil, 0.5)
        blames({ "#5 to 'walker'", "length: 0.5 given" }, bao.walker, false, root, nil, 0, 0.5)
        blames({ "#3 to 'walker'", "group: 11 given" }, bao.walker, true, nil, { group = 11 }, nil, 5)
        if T.integers then blames({ "#5 to 'walker'", "data_len: 18446744073709551615 given" }, bao.walker, true, nil, nil, nil, -1) end
    end },

    { "the walker by itself", function()
        local data = mod251(3000)
        local encoding, root = bao.encode(data)
        local w = bao.walker(false, root, nil, 0, 3000)
        eq(getmetatable(w).__name, "hashcore.bao")
        local kind, size, at = w:next()
        eq(kind .. size .. at, "header8" .. 0)
        raises({ "bad argument #1 to 'put'" }, w.put, w, "short")
        raises({ "bad argument #1 to 'put'", "string expected" }, w.put, w, 5)
        ok(w:put(encoding:sub(1, 8)))
        kind, size, at = w:next()
        eq(kind .. size .. at, "parent64" .. 8)
        local good, message = w:put(mod251(64))
        ok(good == nil and message:find("match", 1, true), message)
        local e = bao.walker(true, nil, nil, nil, 10)
        eq(e:next(), "header")
        eq(e:get(), "\10\0\0\0\0\0\0\0")
        eq(e:next(), "leaf")
        raises("leaf", e.get, e)
        ok(e:put("0123456789"))
        w:close()
        w:close()
        raises("closed", w.next, w)
        getmetatable(w).__gc(w)
    end },
}
