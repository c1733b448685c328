-- test_vectors.lua - the known answers, in this process and at every dispatch level of this processor.
local T = require "harness"
local hashcore = require "hashcore"

local tests = {}
local dir = T.root .. "tests/vectors"

-- All levels run the same records as this process: what is skipped lies with the Lua and not with the processor. Only
-- numbers above 2^53 are, where Lua has no integers. When some tests alone are asked for, the first says how many.
local expected
local function same(run, skipped, where)
    expected = expected or { run = run, skipped = skipped, where = where }
    T.eq(run, expected.run, ("records run at %s and in %s"):format(where, expected.where))
    T.eq(skipped, expected.skipped, ("records skipped at %s and in %s"):format(where, expected.where))
    T.ok(run > 10000, "only " .. run .. " records")
    if T.integers then T.eq(skipped, 0, "records skipped at " .. where) end
end

tests[#tests + 1] = { "every record", function()
    local run, skipped = require("vectors").run(dir)
    same(run, skipped, "this process")
    print(("tests/vectors: %d records run, %d skipped"):format(run, skipped))
end }

for _, level in ipairs(T.levels(hashcore.cpu().detected)) do
    tests[#tests + 1] = { "every record at " .. level, function()
        if T.windows then T.skip("child processes are started by a Unix shell") end
        local out, status = T.lua({ T.root .. "tests/lua/vectors.lua", dir }, {
            HASHCORE_CPU = level, LUA_PATH = T.root .. "tests/lua/?.lua;" .. package.path, LUA_CPATH = package.cpath })
        local run, skipped = out:match("tests/vectors: (%d+) records run, (%d+) skipped")
        T.ok(status == 0 and run, out:sub(1, 400))
        same(tonumber(run), tonumber(skipped), level)
    end }
end

tests[#tests + 1] = { "a level that is not there is an error at load", function()
    local out, status = T.lua({ "-" }, { HASHCORE_CPU = "quantum" }, T.temporary("require 'hashcore'"))
    T.ok(status ~= 0 and out:find("HASHCORE_CPU", 1, true), out)
end }

return tests
