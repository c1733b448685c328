-- test_vectors.lua - the known answers, in this process and at every dispatch level of this processor.
local T = require "harness"
local hashcore = require "hashcore"

local tests = {}
local dir = T.root .. "tests/vectors"

tests[#tests + 1] = { "every record", function()
    local run, skipped = require("vectors").run(dir)
    T.ok(run > 10000, "only " .. run .. " records")
    print(("tests/vectors: %d records run, %d skipped"):format(run, skipped))
end }

for _, level in ipairs(T.levels(hashcore.cpu().detected)) do
    tests[#tests + 1] = { "every record at " .. level, function()
        if T.windows then T.skip("child processes are started by a Unix shell") end
        local out, status = T.lua({ T.root .. "tests/lua/vectors.lua", dir }, {
            HASHCORE_CPU = level, LUA_PATH = T.root .. "tests/lua/?.lua;" .. package.path, LUA_CPATH = package.cpath })
        T.ok(status == 0 and out:match("tests/vectors: %d+ records run, %d+ skipped"), out:sub(1, 400))
    end }
end

tests[#tests + 1] = { "a level that is not there is an error at load", function()
    local out, status = T.lua({ "-" }, { HASHCORE_CPU = "quantum" }, T.temporary("require 'hashcore'"))
    T.ok(status ~= 0 and out:find("HASHCORE_CPU", 1, true), out)
end }

return tests
