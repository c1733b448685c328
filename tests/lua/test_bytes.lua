-- test_bytes.lua - XOR, constant-time comparison, hexadecimal.
local T = require "harness"
local hashcore = require "hashcore"
local eq, ok, raises, mod251 = T.eq, T.ok, T.raises, T.mod251

-- XOR of two bytes without operators that Lua 5.1 lacks.
local function xor_byte(a, b)
    local r, p = 0, 1
    while a > 0 or b > 0 do
        local x, y = a % 2, b % 2
        if x ~= y then r = r + p end
        a, b, p = (a - x) / 2, (b - y) / 2, p * 2
    end
    return math.floor(r)
end
local table_of = {}
for a = 0, 255 do
    table_of[a] = {}
    for b = 0, 255 do table_of[a][b] = string.char(xor_byte(a, b)) end
end
local function slow_xor(a, b, phase)
    local out = {}
    for i = 1, #a do out[i] = table_of[a:byte(i)][b:byte((i - 1 + (phase or 0)) % #b + 1)] end
    return table.concat(out)
end

return {
    -- Lua allows no choice of alignment: every string, also one that sub gives, is a copy behind Lua's own header, on
    -- 64-bit machines 8 bytes past a multiple of 16 (seen in 5.1 to 5.4; in LuaJIT any multiple of 8). Other addresses are
    -- tested in C (tests/c/test_kernels_xor.c). Here every byte of every length is, against slow_xor.
    { "xor of every length", function()
        local pick, bytes = T.random(9), {}
        for i = 1, 1600 do bytes[i] = string.char(pick(256)) end
        local random = table.concat(bytes)
        local function check(n, at)
            local x, y, z = random:sub(at, at + n - 1), random:sub(at + 520, at + n + 519), random:sub(at + 1040, at + n + 1039)
            local xy = slow_xor(x, y)
            local xyz = slow_xor(xy, z)
            eq(hashcore.xor(x), x, n)
            eq(hashcore.xor(x, y), xy, n .. " bytes of two")
            eq(hashcore.xor(y, x), xy, n .. " bytes of two")
            eq(hashcore.xor(x, y, z), xyz, n .. " bytes of three")
            eq(hashcore.xor(z, y, x), xyz, n .. " bytes of three")
            eq(hashcore.xor(x, y, x), y, n .. " bytes, one twice")
        end
        for n = 0, 300 do check(n, n % 37 + 1) end
        for n = 509, 517 do check(n, 1) end -- where results become too long for the C stack
    end },

    { "xor of n sources", function()
        local parts, want = {}, T.zero(1000)
        for i = 1, 20 do
            parts[i] = mod251(1000 + i):sub(i + 1)
            want = slow_xor(want, parts[i])
            eq(hashcore.xor(T.unpack(parts)), want, i .. " sources")
        end
    end },

    { "the rule of lengths", function()
        raises({ "bad argument #2 to 'xor'", "2 bytes given, 3 needed" }, hashcore.xor, "abc", "ab")
        raises({ "bad argument #2 to 'xor'", "1 bytes given, 0 needed" }, hashcore.xor, "", "x")
        raises({ "bad argument #3 to 'xor'" }, hashcore.xor, "ab", "cd", "e")
        eq(hashcore.xor("", ""), "")
        eq(hashcore.xor("abc"), "abc")
        raises({ "bad argument #1 to 'xor'", "string expected, got no value" }, hashcore.xor)
        raises({ "bad argument #2 to 'xor'", "string expected, got number" }, hashcore.xor, "1", 1)
    end },

    { "masks", function()
        local data = mod251(300)
        for _, n in ipairs { 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64, 100, 400 } do
            local key = mod251(n + 1):sub(2)
            for _, offset in ipairs { 0, 1, 3, n - 1, n, n + 1, 1000001 } do
                eq(hashcore.xor_mask(data, key, offset), slow_xor(data, key, offset), n .. " bytes at " .. offset)
            end
        end
        eq(hashcore.xor_mask("Hello", T.unhex "37fa213d"), T.unhex "7f9f4d5158") -- RFC 6455, section 5.7
        eq(hashcore.xor_mask("", "k"), "")
        raises({ "bad argument #2 to 'xor_mask'", "key: 0 bytes given" }, hashcore.xor_mask, "data", "")
        raises({ "bad argument #3 to 'xor_mask'", "offset: number expected, got string" }, hashcore.xor_mask, "data", "k", "0")
        raises({ "bad argument #1 to 'xor_mask'" }, hashcore.xor_mask, 5, "k")
        raises("offset: 0.5 given", hashcore.xor_mask, "data", "k", 0.5)
        if T.integers then
            -- -1 is 2^64 - 1, which leaves 0 when divided by 5.
            eq(hashcore.xor_mask(data, "abcde", -1), hashcore.xor_mask(data, "abcde", 0))
        else
            raises("2^53", hashcore.xor_mask, "data", "k", 2 ^ 53 + 2)
            raises("2^53", hashcore.xor_mask, "data", "k", -1)
        end
    end },

    { "equal", function()
        ok(hashcore.equal("", "") and hashcore.equal("abc", "abc"))
        ok(not hashcore.equal("abc", "abd") and not hashcore.equal("abc", "ab") and not hashcore.equal("", "a"))
        local a = mod251(100)
        for i = 1, 100 do
            ok(not hashcore.equal(a, a:sub(1, i - 1) .. "\255" .. a:sub(i + 1)), "difference at " .. i)
        end
        raises({ "bad argument #2 to 'equal'", "string expected, got nil" }, hashcore.equal, "a", nil)
        raises({ "bad argument #1 to 'equal'" }, hashcore.equal, 1, "1")
    end },

    { "hexadecimal", function()
        for n = 0, 300 do
            local s = mod251(n)
            eq(hashcore.tohex(s), T.hex(s))
            eq(hashcore.fromhex(T.hex(s)), s)
            eq(hashcore.fromhex(T.hex(s):upper()), s)
        end
        raises({ "bad argument #1 to 'fromhex'", "hex" }, hashcore.fromhex, "abc")
        raises({ "no hexadecimal digit at character 3" }, hashcore.fromhex, "aabg")
        raises({ "bad argument #1 to 'tohex'" }, hashcore.tohex, 12)
    end },
}
