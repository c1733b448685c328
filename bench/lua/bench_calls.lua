-- bench_calls.lua - what a call from Lua costs: hashcore beside its own C loop, beside luaossl and beside simpler forms.
--
--   bench/lua/run BUILD-DIR LUA [--only TEXT] [--seconds S] [--json FILE]
--
-- The rows of a test are timed alternately in one process; ratios are medians of their pairs. The digests of all rows
-- of a test must be equal.
local hashcore = require "hashcore"
local helper = require "hashcore_bench"
local found, openssl = pcall(require, "openssl.digest")
local ok_hmac, openssl_hmac = pcall(require, "openssl.hmac")
local now = helper.now

local options = { seconds = 1 }
do
    local i = 1
    while arg[i] do
        local name = arg[i]:match("^%-%-(%a+)$")
        if not name or not arg[i + 1] then
            io.stderr:write("usage: bench_calls.lua [--only TEXT] [--seconds S] [--json FILE]\n")
            os.exit(2)
        end
        options[name] = name == "seconds" and tonumber(arg[i + 1]) or arg[i + 1]
        i = i + 2
    end
end

local language = rawget(_G, "jit") and jit.version or _VERSION
local kernels = hashcore.cpu().kernels

local function data(n)
    local bytes = {}
    for i = 0, 250 do bytes[i + 1] = string.char(i) end
    return table.concat(bytes):rep(math.ceil(n / 251)):sub(1, n)
end

-- Tests: {algorithm, operation, size, count, rows = {{library, function(times) -> digest}}}. A function does the work
-- of 'count' messages 'times' times.
local tests = {}
local function test(algorithm, operation, size, count, ...)
    tests[#tests + 1] = { algorithm = algorithm, operation = operation, size = size, count = count, rows = { ... } }
end

do
    local input, empty = data(64), helper.empty
    test("none", "call", 64, 1, { "Lua itself", function(times)
        local d
        for _ = 1, times do d = empty("none", input) end
        return d
    end })
    for _, size in ipairs { 128, 512, 1920 } do -- about what objects of SHA-256, BLAKE2b and BLAKE3 take
        local block = helper.block
        test("none", "userdata", size, 1, { "Lua itself", function(times)
            for _ = 1, times do block(size) end
            return ""
        end })
    end
end

local theirs = { sha224 = "sha224", sha256 = "sha256", blake2b = "blake2b512" }
local key = data(33):sub(2)
for _, size in ipairs { 64, 1024, 1048576, 67108864 } do
    local input = data(size)
    for _, name in ipairs { "sha224", "sha256", "blake2b", "blake3", "hmac-sha256", "blake2xb" } do
        local keyed = name == "hmac-sha256" and key or nil
        local given = keyed and { key = keyed } or name == "blake2xb" and { digest_size = 64 } or nil
        local digest, loop = hashcore.digest, helper.hash
        local rows = {
            { "hashcore", given and function(times)
                local d
                for _ = 1, times do d = digest(name, input, given) end
                return d
            end or function(times)
                local d
                for _ = 1, times do d = digest(name, input) end
                return d
            end },
            { "hashcore in C", function(times) return loop(name, input, times, keyed) end },
        }
        if found and theirs[name] and pcall(openssl.new, theirs[name]) then
            local new, their = openssl.new, theirs[name]
            rows[3] = { "luaossl", function(times)
                local d
                for _ = 1, times do d = new(their):final(input) end
                return d
            end }
        elseif ok_hmac and keyed then
            local new = openssl_hmac.new
            rows[3] = { "luaossl", function(times)
                local d
                for _ = 1, times do d = new(key, "sha256"):final(input) end
                return d
            end }
        end
        local peer = rows[3]
        if size == 64 and not given then -- the same call by as little of Lua's API as there can be
            local choose, bare = helper.choose, helper.bare
            rows[#rows + 1] = { "Lua itself and C", function(times)
                local d
                choose(name)
                for _ = 1, times do d = bare(name, input) end
                return d
            end }
        end
        if size <= 1048576 or name == "sha256" or name == "blake2b" or name == "blake3" then
            test(name, "digest", size, 1, (table.unpack or unpack)(rows))
        end
        if size == 64 then
            local object = hashcore.new(name, given)
            local new = hashcore.new
            test(name, "object", size, 1, { "hashcore", function(times)
                local d
                for _ = 1, times do d = new(name, given):update(input):digest() end
                return d
            end }, { "hashcore reset", function(times)
                local d
                for _ = 1, times do d = object:reset():update(input):digest() end
                return d
            end }, peer)
        end
    end
end

for _, name in ipairs { "sha256", "blake3", "blake2b" } do
    local count = 100000
    local input = data(64 * count)
    local many, digest, sub = hashcore.digest_many, hashcore.digest, string.sub
    local size = { item_size = 64 }
    test(name, "digest_many", 64, count, { "hashcore", function(times)
        local d
        for _ = 1, times do d = many(name, input, size) end
        return d
    end }, { "loop of digest(s:sub)", function(times)
        local all
        for _ = 1, times do
            all = {}
            for i = 1, 64 * count, 64 do all[#all + 1] = digest(name, sub(input, i, i + 63)) end
        end
        return table.concat(all)
    end }, { "hashcore in C", function(times)
        local d
        for _ = 1, times do d = helper.many(name, input, 64) end
        return d
    end })
end

local function sorted(list)
    local copy = {}
    for i, v in ipairs(list) do copy[i] = v end
    table.sort(copy)
    return copy
end

-- Each row pays for its own garbage and for no other's: all of it is collected before, and the collector never rests.
if not pcall(collectgarbage, "setpause", 100) then collectgarbage("param", "pause", 100) end -- 5.5
local function sample(row, times, count)
    collectgarbage()
    local start = now()
    row[2](times)
    return (now() - start) / times / count
end

local slots = { digest = { sha224 = "sha256.blocks", sha256 = "sha256.blocks", ["hmac-sha256"] = "sha256.blocks",
    blake2b = "blake2b.blocks", blake2xb = "blake2b.blocks", blake3 = "blake3.blocks" },
    digest_many = { sha256 = "sha256.many", blake2b = "blake2b.many", blake3 = "blake3.many" } }

local results = {}
print(("%-12s %-12s %10s  %-24s %12s %10s %10s"):format("algorithm", "operation", "size", language, "ns", "ratio", "more ns"))
for _, t in ipairs(tests) do
    local title = ("%s %s %d"):format(t.algorithm, t.operation, t.size)
    if not options.only or title:find(options.only, 1, true) then
        local want = t.rows[1][2](1)
        local times, samples, round = {}, {}, 0
        for k, row in ipairs(t.rows) do
            if row[2](1) ~= want then error(("%s: %s differs"):format(title, row[1])) end
            times[k], samples[k] = 1, {}
            while sample(row, times[k], t.count) * times[k] * t.count < 5e4 do times[k] = times[k] * 2 end
            round = round + sample(row, times[k], t.count) * times[k] * t.count
        end
        local rounds = math.max(7, math.min(2000, math.floor(options.seconds * 1e9 / round)))
        for i = 1, rounds do
            for k, row in ipairs(t.rows) do samples[k][i] = sample(row, times[k], t.count) end
        end
        for k, row in ipairs(t.rows) do
            local ratios, more = {}, {}
            for i = 1, rounds do
                ratios[i] = samples[k][i] / samples[1][i]
                more[i] = samples[1][i] - samples[k][i]
            end
            local s = sorted(samples[k])
            local middle = math.ceil(rounds / 2)
            print(("%-12s %-12s %10d  %-24s %12.1f %10.2f %10.1f"):format(t.algorithm, t.operation, t.size, row[1], s[1],
                sorted(ratios)[middle], sorted(more)[middle]))
            local slot = row[1]:find("^hashcore") and slots[t.operation] and slots[t.operation][t.algorithm]
            results[#results + 1] = ('{"language": "Lua", "runtime": "%s", "library": "%s", "version": "%s", "kernel": "%s", '
                .. '"algorithm": "%s", "operation": "%s", "size": %d, "count": %d, "threads": 1, "alignment": 0, '
                .. '"ns_min": %.2f, "ns_median": %.2f, "ns_p95": %.2f, "bytes_per_second": %.0f, "digest": "%s"}'):format(language, row[1],
                row[1]:find("^hashcore") and hashcore.version or "", slot and kernels[slot] or "", t.algorithm, t.operation, t.size,
                t.count, s[1], s[middle], s[math.ceil(rounds * 0.95)], t.size * 1e9 / s[1],
                hashcore.tohex(#want > 64 and hashcore.digest("sha256", want) or want))
        end
    end
end
if options.json then
    local f = assert(io.open(options.json, "w"))
    f:write('{"schema": 1, "compiler": "", "cpu": "', hashcore.cpu().enabled, '", "results": [\n    ', table.concat(results, ",\n    "),
        "\n]}\n")
    f:close()
end
