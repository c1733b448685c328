-- test_memory.lua - memory.lua in a host program with a counting and failing allocator, compiled here for this Lua.
--
-- HASHCORE_LUA_HOST names a host that is compiled already (for a Lua that pkg-config does not know).
local T = require "harness"

local function build()
    local host = os.getenv("HASHCORE_LUA_HOST")
    if host then return host, false end
    if os.getenv("HASHCORE_TEST_SHORT") then T.skip("HASHCORE_TEST_SHORT is set: the compiler is another machine's") end
    if T.windows then T.skip("needs a Unix shell") end
    local name = rawget(_G, "jit") and "luajit" or "lua" .. _VERSION:match("%d.%d")
    host = os.tmpname()
    local out, status = T.shell(("flags=$(pkg-config --cflags --libs %s) && ${CC:-cc} -O1 %s -o %s $flags -Wl,-E"):format(name,
        T.quote(T.root .. "tests/lua/host.c"), T.quote(host)))
    if status ~= 0 then T.skip("no host program can be compiled: " .. out:sub(1, 200)) end
    return host, true
end

return {
    { "memory that runs out, that is counted and wiped", function()
        local host, temporary = build()
        local out, status = T.shell(("LUA_PATH=%s LUA_CPATH=%s %s %s"):format(T.quote(T.root .. "tests/lua/?.lua;" .. package.path),
            T.quote(package.cpath), T.quote(host), T.quote(T.root .. "tests/lua/memory.lua")))
        if temporary then os.remove(host) end
        T.ok(status == 0 and out:find("memory: all is well", 1, true), out)
    end },
}
