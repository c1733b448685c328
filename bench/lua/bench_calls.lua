-- bench_calls.lua - what a call from Lua costs: hashcore beside luaossl, its own C loop and simpler forms; a JSON line a row.
--
--   bench/lua/run BUILD-DIR LUA [--only TEXT] [--algorithms A,B] [--size N] [--peers A,B] [--max-bytes N] [--seconds S]
--                 [--workloads FILE] [--json FILE [--resume]] [--progress] [--list]
--
-- The rows of a test are timed alternately in one process; ratios are medians of their pairs. The digests of all rows of a test
-- must be equal, and a workload's must be what the list says.
local hashcore = require "hashcore"
local helper = require "hashcore_bench"
local found, openssl = pcall(require, "openssl.digest")
local ok_hmac, openssl_hmac = pcall(require, "openssl.hmac")
local now = helper.now
local here = arg[0]:match("^(.*)/lua/[^/]*$") or "bench"
package.path = here .. "/../examples/lua/?.lua;" .. package.path

local options = { seconds = 1, workloads = here .. "/workloads.txt", ["max-bytes"] = 0 }
do
    local flags = { resume = true, progress = true, list = true }
    local i = 1
    while arg[i] do
        local name = arg[i]:match("^%-%-([%a-]+)$")
        if not name or not (flags[name] or arg[i + 1]) then
            io.stderr:write("bench_calls.lua: what is ", arg[i], "?\n")
            os.exit(2)
        end
        options[name] = flags[name] or tonumber(arg[i + 1]) or arg[i + 1]
        i = i + (flags[name] and 1 or 2)
    end
end

local language = rawget(_G, "jit") and jit.version or _VERSION
local cpu = hashcore.cpu()
local versions = { hashcore = hashcore.version, luaossl = found and pcall(require, "openssl") and require("openssl").VERSION or "" }
-- LuaRocks has these; no harness here knows them yet, or its server did not answer.
local missing = { "lua-blake2", "luablake3", "luazen", "pure_lua_SHA" }
if not found then missing[#missing + 1] = "luaossl" end

local function data(n, by, start)
    local bytes = {}
    by, start = by or 251, start or 0
    for i = 0, by - 1 do bytes[i + 1] = string.char(i) end
    return table.concat(bytes):rep(math.ceil((n + start) / by)):sub(start + 1, start + n)
end

-- Tests: {algorithm, operation, size, count, slot, rows = {{library, function(times) -> output}}}. A function does the work of
-- 'count' messages 'times' times.
local tests = {}
local function test(algorithm, operation, size, count, rows, more)
    local t = { algorithm = algorithm, operation = operation, size = size, count = count, threads = 1, alignment = 0, rows = {} }
    for name, value in pairs(more or {}) do t[name] = value end
    for _, row in ipairs(rows) do
        local peer = row[2] and not row[1]:find("^hashcore")
        if row[2] and not (peer and options.peers and not (options.peers .. ","):find(row[1] .. ",", 1, true)) then t.rows[#t.rows + 1] = row end
    end
    tests[#tests + 1] = t
end
-- A row that does f(...) so often.
local function row(library, f, ...)
    local a, b, c = ...
    local n = select("#", ...)
    if not f then return { library } end
    return { library, function(times)
        local d
        if n == 3 and c ~= nil then for _ = 1, times do d = f(a, b, c) end
        elseif n >= 2 then for _ = 1, times do d = f(a, b) end
        elseif n == 1 then for _ = 1, times do d = f(a) end
        else for _ = 1, times do d = f() end end
        return d
    end }
end
local function slot_of(algorithm, size, many)
    algorithm = algorithm:gsub("^hmac%-", ""):gsub("224", "256"):gsub("2xb", "2b")
    if many then return algorithm == "blake3" and "blake3.jobs" or algorithm .. ".many" end
    if algorithm == "blake3" then return size <= 64 and "blake3.block" or "blake3.many" end
    return algorithm .. ".finish"
end

-- What luaossl has: its name of an algorithm, and a one-shot.
local theirs = { sha224 = "sha224", sha256 = "sha256", blake2b = "blake2b512" }
local function openssl_one(algorithm, size)
    local name = theirs[algorithm]
    if not found or not name or (size and algorithm == "blake2b" and size ~= 64) or not pcall(openssl.new, name) then return nil end
    local new = openssl.new
    return function(input) return new(name):final(input) end
end

-- ---- The workloads that all languages share -------------------------------------------------------------------
local workload = {}
function workload.hash(w)
    local given = w.algorithm == "blake2b" and { digest_size = w.output } or nil
    return { row("hashcore", hashcore.digest, w.algorithm, w.data, given), row("luaossl", openssl_one(w.algorithm, w.output), w.data) }
end
local function pieces_of(w)
    if w.parts then return w.parts end
    local pieces = {}
    for i = 1, w.size, 32768 do pieces[#pieces + 1] = w.data:sub(i, i + 32767) end
    return pieces
end
function workload.new(w)
    local pieces, new = pieces_of(w), hashcore.new
    local name = theirs[w.algorithm]
    return { row("hashcore", function()
        local h = new(w.algorithm)
        for i = 1, #pieces do h:update(pieces[i]) end
        return h:digest()
    end), row("luaossl", found and name and function()
        local h = openssl.new(name)
        for i = 1, #pieces do h:update(pieces[i]) end
        return h:final()
    end) }
end
workload.write = workload.new
function workload.reset(w)
    local pieces, h = pieces_of(w), hashcore.new(w.algorithm)
    return { row("hashcore", function()
        h:reset()
        for i = 1, #pieces do h:update(pieces[i]) end
        return h:digest()
    end), workload.new(w)[2] } -- luaossl has no reset
end
function workload.parts(w)
    local parts, digest, unpack = w.parts, hashcore.digest, table.unpack or unpack
    local one = openssl_one(w.algorithm)
    return { row("hashcore", function() return digest(w.algorithm, unpack(parts)) end),
        row("luaossl", one and function() return one(table.concat(parts)) end) }
end
function workload.xof(w)
    local h = hashcore.new(w.algorithm):update(w.data)
    return { row("hashcore", h.digest, h, w.size) }
end
function workload.xor(w)
    if w.alignment > 0 then return nil end -- where a string lies is Lua's affair
    local a, b = data(w.size), data(w.size, 241, 89)
    -- 5.1 and 5.2 have no operator for it.
    local chunk = (loadstring or load)([[
        return function(a, b)
            local out = {}
            for i = 1, #a do out[i] = string.char(a:byte(i) ~ b:byte(i)) end
            return table.concat(out)
        end]])
    local loop = chunk and chunk()
    return { row("hashcore", hashcore.xor, a, b), row("Lua loop", loop, a, b) }
end
function workload.xordst() return nil end
local example = require "merkle_trie"
function workload.trie(w)
    local values
    local one = openssl_one(w.algorithm)
    local function root()
        values = values or example.sample(tonumber(w.operation:match("%d+")))
        return (example.root(values, w.algorithm))
    end
    local function looped()
        local many = hashcore.digest_many
        hashcore.digest_many = function(_, items)
            local out = {}
            for i = 1, #items do out[i] = one(items[i]) end
            return out
        end
        local good, d = pcall(root)
        hashcore.digest_many = many
        return good and d
    end
    return { row("hashcore", root), row("luaossl", one and looped) }
end

local nodes = {}
for line in io.lines(options.workloads) do
    local field = {}
    for word in line:gmatch("%S+") do field[#field + 1] = word end
    if field[1] == "node" then
        local parts = {}
        for hex in field[4]:gmatch("[^,]+") do parts[#parts + 1] = hex == "-" and "" or hashcore.fromhex(hex) end
        nodes[field[2] .. field[3]] = parts
    elseif field[1] ~= "#" then
        local w = { kind = field[1], algorithm = field[2], operation = field[3], digest = field[10], size = tonumber(field[5]),
            alignment = tonumber(field[8]), output = tonumber(field[9]) }
        w.parts = nodes[w.algorithm .. field[4]:gsub("^node:", "")]
        w.data = w.parts and table.concat(w.parts) or data(w.kind == "xof" and 64 or w.size)
        local rows = workload[w.kind](w)
        if rows then
            test(w.algorithm, w.operation, w.size, 1, rows, { alignment = w.alignment, digest = w.digest,
                slot = w.algorithm == "xor" and "xor.two" or w.kind == "xof" and "blake3.xof" or slot_of(w.algorithm, w.size, w.kind == "trie") })
        end
    end
end

-- ---- Lua's own ------------------------------------------------------------------------------------------------
do -- what Lua itself takes
    test("none", "call", 64, 1, { row("Lua itself", helper.empty, "none", data(64)) }, { slot = "" })
    for _, size in ipairs { 128, 512, 1920 } do -- about what objects of SHA-256, BLAKE2b and BLAKE3 take
        test("none", "userdata", size, 1, { row("Lua itself", function()
            helper.block(size)
            return ""
        end) }, { slot = "" })
    end
end
local key = data(33):sub(2)
for _, size in ipairs { 64, 1024, 1048576, 67108864 } do
    local input
    local function there() input = input or data(size) return input end
    for _, name in ipairs { "sha224", "sha256", "blake2b", "blake3", "hmac-sha256", "blake2xb" } do
        if size <= 1048576 or name == "sha256" or name == "blake2b" or name == "blake3" then
            local keyed = name == "hmac-sha256" and key or nil
            local given = keyed and { key = keyed } or name == "blake2xb" and { digest_size = 64 } or nil
            local digest, loop, one, hmac = hashcore.digest, helper.hash, openssl_one(name), ok_hmac and keyed and openssl_hmac.new
            local peer = one or hmac and function(d) return hmac(key, "sha256"):final(d) end
            local rows = {
                { "hashcore", function(times) return row("", digest, name, there(), given)[2](times) end },
                { "hashcore, the loop in C", function(times) return loop(name, there(), times, keyed) end },
                { "luaossl", peer and function(times) return row("", peer, there())[2](times) end },
                -- The same call by as little of Lua's API as there can be.
                { "hashcore, bare", size == 64 and not given and function(times)
                    helper.choose(name)
                    return row("", helper.bare, name, there())[2](times)
                end or nil },
            }
            test(name, "digest", size, 1, rows, { slot = slot_of(name, size) })
            if size == 64 then
                local object, new = hashcore.new(name, given), hashcore.new
                test(name, "object", size, 1, {
                    row("hashcore", function() return new(name, given):update(there()):digest() end),
                    row("hashcore, reset", function() return object:reset():update(there()):digest() end), rows[3] }, { slot = slot_of(name, size) })
            end
        end
    end
end
for _, name in ipairs { "sha256", "blake3", "blake2b" } do
    local count = 100000
    local input = data(64 * count)
    local many, digest, sub, one = hashcore.digest_many, hashcore.digest, string.sub, openssl_one(name)
    local function looped(f)
        local all = {}
        for i = 1, 64 * count, 64 do all[#all + 1] = f(sub(input, i, i + 63)) end
        return table.concat(all)
    end
    test(name, "digest_many, loop", 64, count, {
        row("hashcore", many, name, input, { item_size = 64 }),
        row("hashcore, digest in a loop", looped, function(m) return digest(name, m) end),
        { "hashcore, one call in C", function(times)
            local d
            for _ = 1, times do d = helper.many(name, input, 64) end
            return d
        end },
        row("luaossl", one and looped, one) }, { slot = slot_of(name, 64, true) })
end

-- ---- Measuring --------------------------------------------------------------------------------------------------
local function sorted(list)
    local copy = {}
    for i, v in ipairs(list) do copy[i] = v end
    table.sort(copy)
    return copy
end
-- Each row pays for its own garbage and for no other's: all of it is collected before, and the collector begins again once the
-- heap has grown by a tenth. (At 100 % Lua 5.4 works without rest even where nothing is allocated.)
if not pcall(collectgarbage, "setpause", 110) then collectgarbage("param", "pause", 110) end -- 5.5
local function sample(run, times, count)
    local spent
    repeat -- a virtual machine's clock of a thread has been seen to stand still over a whole sample
        collectgarbage()
        collectgarbage() -- what has a finalizer is freed by the second
        helper.block(1e5) -- and malloc sorts what was freed (10 ms after 100,000 objects) when a large block is asked for
        local start = now()
        run[2](times)
        spent = now() - start
    until spent > 0
    return spent / times / count
end
local function text_of(output) return hashcore.tohex(#output > 64 and hashcore.digest("sha256", output) or output) end
local function listed(list, name) return not list or (list .. ","):find(name .. ",", 1, true) end

local done = ""
if options.json and options.resume then
    local old = io.open(options.json)
    done = old and old:read("*a") or ""
    if old then old:close() end
end
local file = options.json and assert(io.open(options.json, done == "" and "w" or "a"))
local function quoted(list) return #list == 0 and "" or '"' .. table.concat(list, '", "') .. '"' end
if file and done == "" then
    file:write(('{"schema": 2, "runtime": "%s", "cpu": "%s", "missing": [%s]}\n'):format(language, cpu.enabled, quoted(missing)))
end
local function key_of(t)
    return ('"algorithm": "%s", "operation": "%s", "size": %d, "count": %d, "threads": %d, "alignment": %d, '):format(t.algorithm, t.operation,
        t.size, t.count, t.threads, t.alignment)
end

local function run_test(t)
    local times, samples, digests, round = {}, {}, {}, 0
    for k, run in ipairs(t.rows) do
        digests[k] = text_of(run[2](1))
        if digests[k] ~= (t.digest or digests[1]) then
            io.stderr:write(("%s %s, %d bytes: %s gives a wrong output\n"):format(t.algorithm, t.operation, t.size, run[1]))
            os.exit(1)
        end
        times[k], samples[k] = 1, {}
        while sample(run, times[k], t.count) * times[k] * t.count < 5e4 do times[k] = times[k] * 2 end
        round = round + sample(run, times[k], t.count) * times[k] * t.count
    end
    local rounds = math.max(round > 1e8 and 3 or 7, math.min(2000, math.floor(options.seconds * 1e9 / round)))
    local start, least = now(), math.min(rounds, 7)
    for i = 1, rounds do
        for k, run in ipairs(t.rows) do samples[k][i] = sample(run, times[k], t.count) end
        if i >= least and now() - start > 1.5e9 * options.seconds then -- collecting garbage takes its time, too
            rounds = i
            break
        end
    end
    for k, run in ipairs(t.rows) do
        local ratios = {}
        for i = 1, rounds do ratios[i] = samples[k][i] / samples[1][i] end
        local s, middle = sorted(samples[k]), math.ceil(rounds / 2)
        local ratio = k > 1 and ("%.4f"):format(sorted(ratios)[middle]) or "null"
        print(("%-12s %-34s %9d  %-28s %12.1f ns  %s"):format(t.algorithm, t.operation, t.size, run[1], s[1], ratio))
        if file then
            file:write(('{"language": "Lua", "library": "%s", "version": "%s", "kernel": "%s", %s"ns_min": %.3f, "ns_median": %.3f, '
                .. '"ns_p95": %.3f, "bytes_per_second": %.0f, "tsc_ticks_per_byte": null, "ratio": %s, "level": "", "digest": "%s"}\n'):format(
                run[1], versions[run[1]:gsub(",.*", "")] or "", k == 1 and cpu.kernels[t.slot] or "", key_of(t), s[1], s[middle],
                s[math.ceil(rounds * 0.95)], t.size * 1e9 / s[1], ratio, digests[k]))
        end
    end
    if file then file:flush() end
end

local chosen = {}
for _, t in ipairs(tests) do
    if (t.algorithm .. " " .. t.operation):find(options.only or "", 1, true) and listed(options.algorithms, t.algorithm)
        and (not options.size or options.size == t.size) and (options["max-bytes"] == 0 or t.size * t.count <= options["max-bytes"]) then
        chosen[#chosen + 1] = t
    end
end
for i, t in ipairs(chosen) do
    if options.list then print(t.algorithm, t.operation, t.size) else
        if options.progress then io.write(("@ %d %d %s %s\n"):format(i - 1, #chosen, t.algorithm, t.operation)) io.stdout:flush() end
        if not done:find(key_of(t), 1, true) then run_test(t) end
        t.rows = nil -- with what they keep
    end
end
if file then file:close() end
