-- test_docs.lua - every Lua example of docs/lua.md, run as it stands there.
local T = require "harness"

local tests = {}
local text = T.read_all(T.root .. "docs/lua.md")
local heading = "?"
local position = 1
while true do
    local start, stop, code = text:find("```lua\n(.-)\n```", position)
    if not start then break end
    for title in text:sub(position, start):gmatch("\n## ([^\n]+)") do heading = title end
    local line = select(2, text:sub(1, start):gsub("\n", "")) + 1
    tests[#tests + 1] = { heading, function()
        local printed = {}
        local environment = setmetatable({ print = function(...) printed[#printed + 1] = table.concat({ ... }, "\t") end,
            io = setmetatable({ stderr = { write = function() end } }, { __index = io }) }, { __index = _G })
        local chunk = assert((loadstring or load)(("\n"):rep(line) .. code, "=docs/lua.md"))
        if setfenv then
            setfenv(chunk, environment)
        else
            chunk = assert(load(("\n"):rep(line) .. code, "=docs/lua.md", "t", environment))
        end
        chunk()
        local expected = {}
        for what in code:gmatch("%-%-> ([^\n]+)") do expected[#expected + 1] = what end
        for i, what in ipairs(expected) do T.eq(printed[i], what, "printed line " .. i) end
    end }
    position = stop
end
T.ok(#tests >= 13, "examples are missing")
return tests
