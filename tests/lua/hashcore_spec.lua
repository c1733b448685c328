-- hashcore_spec.lua - the same tests for busted: busted --lua=/usr/bin/lua5.4 tests/lua/hashcore_spec.lua
local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = here .. "?.lua;" .. package.path
local T = require "harness"
T.root = here:gsub("tests/lua/$", "")
if T.root == "" then T.root = "./" end

for _, suite in ipairs(require "suites") do
    describe(suite, function()
        for _, test in ipairs(require(suite)) do
            it(test[1], function()
                local ok, e = pcall(test[2])
                if not ok and getmetatable(e) == T.SKIP then return pending(e.why) end
                if not ok then error(e, 0) end
            end)
        end
    end)
end
