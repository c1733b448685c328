-- test_build.lua - the rock's list of files, what the module exports, that it stays inside its state.
local T = require "harness"
local hashcore = require "hashcore"
local eq, ok = T.eq, T.ok

local function module_path()
    return package.searchpath and package.searchpath("hashcore.core", package.cpath) or (function()
        for template in package.cpath:gmatch("[^;]+") do
            local path = template:gsub("%?", "hashcore/core")
            local f = io.open(path, "rb")
            if f then f:close() return path end
        end
    end)()
end

return {
    { "the rock compiles every file of the core", function()
        if T.windows then T.skip("needs a Unix shell") end
        local rock = {}
        local chunk
        if setfenv then
            chunk = setfenv(assert(loadfile(T.root .. "hashcore-dev-1.rockspec")), rock)
        else
            chunk = assert(loadfile(T.root .. "hashcore-dev-1.rockspec", "t", rock))
        end
        chunk()
        local listed, number = {}, 0
        for _, source in ipairs(rock.build.modules["hashcore.core"].sources) do
            ok(not listed[source], source .. " stands twice")
            listed[source], number = true, number + 1
            local f = io.open(T.root .. source, "rb")
            ok(f, source .. " is listed and missing")
            f:close()
        end
        ok(listed["bindings/lua/lhashcore.c"])
        local files = 1
        for name in T.shell("ls " .. T.quote(T.root .. "core/src")):gmatch("([^\n]+%.c)\n") do
            ok(listed["core/src/" .. name], "core/src/" .. name .. " is not in the rockspec")
            files = files + 1
        end
        eq(files, number)
        eq(rock.build.type, "builtin")
    end },

    { "nothing but the entry is exported", function()
        local path = module_path()
        local out, status = T.shell("nm -D --defined-only " .. T.quote(path))
        if status ~= 0 then T.skip("nm: " .. out:sub(1, 100)) end
        local names = {}
        for name in out:gmatch("%x+ %u ([%w_]+)") do
            if not name:find("^_") then names[#names + 1] = name end -- linkers add _init, _fini and the like
        end
        eq(table.concat(names, " "), "luaopen_hashcore_core")
    end },

    { "every function and method is annotated", function()
        local types = T.read_all(T.root .. "bindings/lua/hashcore.d.lua")
        local function declared(name) return types:find("function " .. name .. "(", 1, true) end
        local function all(prefix, members, separator)
            for name, value in pairs(members) do
                if type(value) == "function" and not name:find("^__") then
                    ok(declared(prefix .. separator .. name), prefix .. separator .. name .. " lacks an annotation")
                end
            end
        end
        all("hashcore", hashcore, ".")
        all("tree", hashcore.tree, ".")
        all("bao", hashcore.bao, ".")
        all("hash", getmetatable(hashcore.hmac("sha256", "k")), ":")
        all("reader", getmetatable(hashcore.blake3():reader()), ":")
        all("walker", getmetatable(hashcore.bao.walker(false)), ":")
        for prefix, name in types:gmatch("function (%l+)[.:]([%w_]+)%(") do
            local where = prefix == "hashcore" and hashcore or hashcore[prefix]
            if prefix == "hash" then where = hashcore.sha256() end
            if prefix == "reader" then where = hashcore.blake3():reader() end
            if prefix == "walker" then where = hashcore.bao.walker(false) end
            ok(where[name], prefix .. " " .. name .. " is annotated and missing")
        end
    end },

    { "nothing is left in globals", function()
        local before = {}
        for k in pairs(_G) do before[k] = true end
        package.loaded["hashcore"], package.loaded["hashcore.core"] = nil, nil
        local again = require "hashcore"
        for k in pairs(_G) do ok(before[k], tostring(k) .. " is a new global") end
        -- Loaded twice in one state: two modules whose objects know their own.
        local h, g = hashcore.sha256():update("abc"), again.sha256():update("abc")
        eq(h:digest(), g:digest())
        eq(h:copy():digest(), g:copy():digest())
        T.raises("bad self", h.digest, g)
        package.loaded["hashcore"], package.loaded["hashcore.core"] = hashcore, nil
    end },
}
