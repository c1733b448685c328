-- test_files.lua - file_digest: paths, open files, descriptors, streams, progress, what the system refuses.
local T = require "harness"
local hashcore = require "hashcore"
local eq, ok, raises, mod251 = T.eq, T.ok, T.raises, T.mod251

local function with_file(bytes, f)
    local name = T.temporary(bytes)
    local done, message = xpcall(function() f(name) end, debug.traceback)
    os.remove(name)
    if not done then error(message, 0) end
end

local function unix()
    if T.windows then T.skip("needs a Unix shell") end
end

-- A file with a hole of that size, which takes no room on the disk.
local function with_hole(size, f)
    unix()
    local name = os.tmpname()
    local out, status = T.shell(("truncate -s %.0f %s"):format(size, T.quote(name)))
    if status ~= 0 then T.skip("truncate: " .. out) end
    local done, message = xpcall(function() f(name) end, debug.traceback)
    os.remove(name)
    if not done then error(message, 0) end
end

return {
    { "paths", function()
        for _, n in ipairs { 0, 1, 1000, 65536, 100000, 3000000 } do
            local data = mod251(n)
            with_file(data, function(name)
                for _, alg in ipairs { "sha224", "sha256", "blake2b", "blake3" } do
                    for _, threads in ipairs { 0, 1, 2, "auto" } do
                        eq(hashcore.file_digest(name, alg, { threads = threads }):digest(), hashcore.digest(alg, data))
                    end
                end
                eq(hashcore.file_digest(name, "blake2b", { key = "k", digest_size = 20 }):hexdigest(),
                    hashcore.hexdigest("blake2b", data, { key = "k", digest_size = 20 }))
                eq(hashcore.file_digest(name, "hmac-sha256", { key = "k" }):digest(),
                    hashcore.digest("hmac-sha256", data, { key = "k" }))
                eq(hashcore.file_digest(name, "blake2xb"):digest(100), hashcore.digest("blake2xb", data, { digest_size = 100 })
                    and hashcore.blake2xb():update(data):digest(100))
            end)
        end
    end },

    { "several algorithms in one read", function()
        local data = mod251(700000)
        with_file(data, function(name)
            local names = { "blake3", "sha256", "blake2b", "sha224", "sha256" }
            local all = hashcore.file_digest(name, names)
            eq(#all, 5)
            for i, alg in ipairs(names) do eq(all[i]:digest(), hashcore.digest(alg, data)) end
            all[1]:update("more")
            eq(all[1]:digest(), hashcore.digest("blake3", data, "more"))
            eq(names[1], "blake3")
        end)
    end },

    { "open files from their position", function()
        local data = mod251(200000)
        with_file(data, function(name)
            local f = assert(io.open(name, "rb"))
            for _, at in ipairs { 0, 5, 70000, 200000 } do
                f:seek("set", at)
                eq(hashcore.file_digest(f, "sha256"):digest(), hashcore.digest("sha256", data:sub(at + 1)))
                eq(f:seek("cur"), 200000)
                eq(f:read(1), nil)
            end
            f:seek("set", 0)
            eq(f:read(10), data:sub(1, 10)) -- the rest of the buffer is not lost
            eq(hashcore.file_digest(f, "blake3"):digest(), hashcore.digest("blake3", data:sub(11)))
            f:close()
            raises({ "bad argument #1 to 'file_digest'", "closed" }, hashcore.file_digest, f, "sha256")
            local w = assert(io.open(name, "w+b"))
            w:write("not yet on the disk")
            w:seek("set", 4)
            eq(hashcore.file_digest(w, "sha256"):digest(), hashcore.digest("sha256", "yet on the disk"))
            w:write("!")
            w:seek("set", 0)
            eq(w:read("*a"), "not yet on the disk!")
            w:close()
        end)
    end },

    { "descriptors", function()
        unix()
        with_file(mod251(100000), function(name)
            with_file("local h = require 'hashcore' print(h.file_digest(0, 'blake3'):hexdigest())"
                .. " print(h.file_digest(0, 'blake3'):hexdigest())", function(script)
                local out, status = T.lua({ script }, { LUA_PATH = package.path, LUA_CPATH = package.cpath }, name)
                eq(status, 0, out)
                eq(out, hashcore.hexdigest("blake3", mod251(100000)) .. "\n" .. hashcore.hexdigest("blake3", "") .. "\n")
            end)
        end)
        local h, message, errno = hashcore.file_digest(987654, "sha256")
        eq(h, nil)
        ok(type(message) == "string" and errno == 9, message) -- EBADF
        raises({ "descriptor: -1 given" }, hashcore.file_digest, -1, "sha256")
    end },

    { "pipes and other streams", function()
        unix()
        local data = mod251(300001)
        with_file(data, function(name)
            local pipe = assert(io.popen("cat " .. T.quote(name)))
            eq(pipe:read(7), data:sub(1, 7))
            local calls = {}
            local two = hashcore.file_digest(pipe, { "sha256", "blake3" }, { progress = function(done, total)
                calls[#calls + 1] = done
                eq(total, nil)
            end })
            eq(two[1]:digest(), hashcore.digest("sha256", data:sub(8)))
            eq(two[2]:digest(), hashcore.digest("blake3", data:sub(8)))
            eq(calls[#calls], #data - 7)
            pipe:close()
            local fifo = name .. ".fifo"
            local out, status = T.shell("mkfifo " .. T.quote(fifo))
            eq(status, 0, out)
            os.execute(("cat %s > %s &"):format(T.quote(name), T.quote(fifo)))
            eq(hashcore.file_digest(fifo, "sha256"):digest(), hashcore.digest("sha256", data))
            os.remove(fifo)
        end)
        eq(hashcore.file_digest("/dev/null", "sha256"):digest(), hashcore.digest("sha256", ""))
        local f = io.open("/proc/version", "rb")
        if f then
            local text = f:read("*a")
            f:close()
            eq(hashcore.file_digest("/proc/version", "sha256"):digest(), hashcore.digest("sha256", text))
        end
    end },

    { "any value with a method read", function()
        local parts = { "a", "bc", "", "def" } -- an empty string is no end
        local object = { read = function() return table.remove(parts, 1) end }
        eq(hashcore.file_digest(object, "blake2b", { key = "k" }):digest(), hashcore.digest("blake2b", "abcdef", { key = "k" }))
        local h, message, errno = hashcore.file_digest({ read = function() return nil, "reset by peer", 104 end }, "sha256")
        ok(h == nil and message == "reset by peer" and errno == 104)
        -- Readers of this module, whose end is an empty string; userdata, tables that inherit, functions.
        local long = hashcore.blake2xb { digest_size = 200001 }:update("abc")
        local r = long:reader()
        r:seek("set", 5)
        eq(hashcore.file_digest(r, "sha256"):digest(), hashcore.digest("sha256", long:digest():sub(6)))
        eq(r:tell(), 200001)
        eq(hashcore.file_digest(r, "sha256"):digest(), hashcore.digest("sha256"))
        local function source() -- a new one that gives "abc" once
            local left = "abc"
            local function read(_, n)
                eq(n, 65536)
                local s = left
                left = nil
                return s
            end
            return { __index = { read = read } }
        end
        local want = hashcore.digest("sha256", "abc")
        eq(hashcore.file_digest(setmetatable({}, source()), "sha256"):digest(), want)
        eq(hashcore.file_digest({ read = setmetatable({}, { __call = function(_, ...) return r.read(r, select(2, ...)) == "x" end }) },
            "sha256"):digest(), hashcore.digest("sha256"))
        local newproxy = rawget(_G, "newproxy")
        if newproxy then
            local p = newproxy(true)
            getmetatable(p).__index = source().__index
            eq(hashcore.file_digest(p, "sha256"):digest(), want)
        end
        debug.setmetatable(print, source())
        local done, got = pcall(hashcore.file_digest, print, "sha256")
        debug.setmetatable(print, nil)
        ok(done, got)
        eq(got:digest(), want)
        -- It may yield, as sockets of an event loop do.
        local co = coroutine.wrap(function()
            return hashcore.file_digest({ read = function() return coroutine.yield() end }, "sha256"):digest()
        end)
        co()
        co("a")
        co("bc")
        eq(co(nil), want)
        local strict = setmetatable({}, { __index = function(_, k) error("no field " .. k) end })
        T.blames({ "#1 to 'file_digest'", "object with read(n) expected, got table" }, hashcore.file_digest, strict, "sha256")
        for _, block in ipairs { 5, true, {} } do
            T.blames({ "#1 to 'file_digest'", "read: string expected, got " .. type(block) }, hashcore.file_digest,
                { read = function() return block end }, "sha256")
        end
        raises("own words", hashcore.file_digest, { read = function() error("own words") end }, "sha256")
    end },

    { "what the system refuses", function()
        local missing = os.tmpname()
        os.remove(missing)
        local h, message, errno = hashcore.file_digest(missing, "sha256")
        eq(h, nil)
        ok(message:find(missing, 1, true), message)
        eq(errno, 2) -- ENOENT
        unix()
        h, message, errno = hashcore.file_digest("/", "blake3")
        eq(h, nil)
        eq(errno, 21, message) -- EISDIR
        local f = assert(io.open("/", "rb"))
        h, message, errno = hashcore.file_digest(f, { "blake3", "sha256" })
        f:close()
        eq(h, nil)
        eq(errno, 21, message)
    end },

    { "arguments", function()
        local digest, blames = hashcore.file_digest, T.blames
        local closed = assert(io.tmpfile())
        closed:close()
        local null = T.windows and "NUL" or "/dev/null"
        for _, source in ipairs { true, {}, print, { read = 5 }, hashcore.sha256(), coroutine.create(function() end) } do
            blames({ "#1 to 'file_digest'", "or object with read(n) expected, got " .. type(source) }, digest, source, "sha256")
        end
        blames({ "#1 to 'file_digest'", "path, file, descriptor or object with read(n) expected, got nil" }, digest, nil, "sha256")
        blames({ "#1 to 'file_digest'", "the file is closed" }, digest, closed, "sha256")
        blames({ "#1 to 'file_digest'", "zero byte" }, digest, "/dev/null\0/x", "sha256")
        blames({ "#1 to 'file_digest'", "descriptor: -1 given" }, digest, -1, "sha256")
        local names = {}
        for i = 1, 17 do names[i] = "sha256" end
        local file = assert(io.tmpfile())
        -- The same of paths, of open files and of streams, which init.lua reads.
        for _, source in ipairs { null, file, { read = function() end } } do
            blames({ "#2 to 'file_digest'", "string expected, got nil" }, digest, source)
            blames({ "#2 to 'file_digest'", "string expected, got number" }, digest, source, 5)
            blames({ "#2 to 'file_digest'", "unknown algorithm 'md5'" }, digest, source, "md5")
            blames({ "#2 to 'file_digest'", "unknown algorithm 'md5'" }, digest, source, { "sha256", "md5" })
            blames({ "#2 to 'file_digest'", "string expected, got number" }, digest, source, { "sha256", 5 })
            blames({ "#2 to 'file_digest'", "names: 0 given, 1 to 16 allowed" }, digest, source, {})
            blames({ "#2 to 'file_digest'", "names: 17 given, 1 to 16 allowed" }, digest, source, names)
            eq(#digest(source, { T.unpack(names, 1, 16) }), 16)
            blames({ "#3 to 'file_digest'", "unknown option 'thread'" }, digest, source, "sha256", { thread = 1 })
            blames({ "#3 to 'file_digest'", "option names are strings" }, digest, source, "sha256", { 1 })
            blames({ "#3 to 'file_digest'", "threads: number expected, got string" }, digest, source, "sha256", { threads = "2" })
            blames({ "#3 to 'file_digest'", "progress: function expected, got number" }, digest, source, "sha256", { progress = 2 })
            blames({ "#3 to 'file_digest'", "table expected, got string" }, digest, source, "sha256", "x")
            blames({ "#3 to 'file_digest'", "salt: not supported" }, digest, source, { "blake2b", "sha256" }, { salt = "s" })
            blames({ "#3 to 'file_digest'", "key: needed" }, digest, source, "hmac-sha256")
        end
        file:close()
    end },

    { "progress, and errors in it", function()
        with_hole(200 * 1048576, function(name)
            for _, source in ipairs { name, assert(io.open(name, "rb")) } do
                local last, calls, known = 0, 0, nil
                local function progress(done, total)
                    ok(done >= last, "progress went back")
                    last, calls, known = done, calls + 1, total
                end
                local h = hashcore.file_digest(source, "blake3", { progress = progress, threads = 2 })
                ok(calls >= 3, calls .. " calls")
                eq(last, 200 * 1048576)
                eq(known, 200 * 1048576)
                eq(#h:digest(), 32)
            end
            local f = assert(io.open(name, "rb"))
            f:seek("set", 10)
            local thrown = {}
            local count = 0
            local done, caught = pcall(hashcore.file_digest, f, { "sha256", "blake3" }, { progress = function()
                count = count + 1
                error(thrown)
            end })
            ok(not done and caught == thrown, "the error value is lost")
            eq(count, 1)
            eq(f:seek("cur"), 10)
            f:close()
            -- What a callback throws is its own, also what reads like an error of file_digest.
            local _, own = pcall(hashcore.file_digest, name, "sha256", { progress = function()
                error("bad argument #1 to 'digest' (text)", 0)
            end })
            eq(own, "bad argument #1 to 'digest' (text)")
            raises("stop here", hashcore.file_digest, name, "sha256", { progress = function() error("stop here") end })
            -- A callback may not yield: that is an error too, and the coroutine lives on.
            local co = coroutine.wrap(function()
                local good, why = pcall(hashcore.file_digest, name, "sha256", { progress = coroutine.yield })
                return good, why
            end)
            local good, why = co()
            ok(not good and tostring(why):find("yield", 1, true), why)
            eq(hashcore.file_digest("/dev/null", "sha256", { progress = collectgarbage and function() collectgarbage() end })
                :digest(), hashcore.digest("sha256", ""))
        end)
    end },

    -- A length in an int once made files over 2 GiB hash as empty.
    { "a file over 2 GiB", function()
        T.slow()
        with_hole(2 ^ 31 + 1025, function(name)
            for _, threads in ipairs { 0, 2 } do
                local all = hashcore.file_digest(name, { "sha256", "blake3" }, { threads = threads })
                eq(all[1]:hexdigest(), "183ab857290bd79a71e5981352c252c65787316a3e3161954d39876ca6f0264e")
                eq(all[2]:hexdigest(), "1c106cf2e5886fbfd786dabe4182776bd4697ed7a942b283644ee5a4e417e0f2")
            end
            local f = assert(io.open(name, "rb"))
            f:seek("set", 2 ^ 31)
            eq(hashcore.file_digest(f, "sha256"):digest(), hashcore.digest("sha256", T.zero(1025)))
            f:close()
        end)
    end },
}
