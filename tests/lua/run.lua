-- run.lua - runs every Lua test with any Lua, without busted: lua tests/lua/run.lua [PART OF A NAME]
--
-- hashcore must be found by package.path and package.cpath. The last line counts what passed, failed and was skipped.
local here = arg[0]:match("^(.*/)") or "./"
package.path = here .. "?.lua;" .. package.path
local T = require "harness"
local suites = require "suites"

local passed, failed, skipped = 0, 0, 0
io.stdout:setvbuf("line")
for _, suite in ipairs(suites) do
    for _, test in ipairs(require(suite)) do
        local name = suite:gsub("^test_", "") .. ": " .. test[1]
        if not arg[1] or name:find(arg[1], 1, true) then
            local ok, message = xpcall(test[2], function(e)
                if getmetatable(e) == T.SKIP then return e end
                return debug.traceback(tostring(e), 2)
            end)
            if ok then
                passed = passed + 1
            elseif getmetatable(message) == T.SKIP then
                skipped = skipped + 1
                print(("skipped %s: %s"):format(name, message.why))
            else
                failed = failed + 1
                print(("FAILED %s\n%s"):format(name, message))
            end
        end
    end
end
print(("tests/lua (%s): %d passed, %d failed, %d skipped"):format(T.version, passed, failed, skipped))
os.exit(failed == 0 and passed > 0 and 0 or 1, true)
