-- vectors.lua - runs every record of tests/vectors: whole, in pieces, byte by byte, after copy and after reset.
--
-- lua vectors.lua DIR   (a child process of run.lua, one for each dispatch level); prints the closing line.
local T = require "harness"
local hashcore = require "hashcore"

local V = {}
local sizes = { "digest_size", "fanout", "depth", "leaf_size", "node_offset", "node_depth", "inner_size", "last_node" }
local strings = { "key", "salt", "person", "derive_key_context" }

function V.bytes(text)
    local pattern, n = text:match("^(%a%w*) (%d+)$")
    if pattern == "mod251" then return T.mod251(tonumber(n)) end
    if pattern == "zero" then return T.zero(tonumber(n)) end
    if not text:match("^%x*$") or #text % 2 == 1 then error("not a bytes value: " .. text) end
    return hashcore.fromhex(text)
end

-- Calls f(record, where) for every record of a file; a record is a table of its lines.
function V.each(path, f)
    local record, number, line_number = nil, 0, 0
    for line in io.lines(path) do
        line_number = line_number + 1
        if line:match("^%s*$") then
            if record then f(record, ("%s record %d"):format(path, number)) end
            record = nil
        elseif line:sub(1, 1) ~= "#" then
            local name, value = line:match("^([%w_]+) = (.*)$")
            if not name then error(("%s:%d: not 'name = value'"):format(path, line_number)) end
            if not record then record, number = {}, number + 1 end
            record[name] = value
        end
    end
    if record then f(record, ("%s record %d"):format(path, number)) end
end

-- The options a record asks for, or nil where this Lua has no number for one.
local function options_of(r)
    local o, given = {}, false
    for _, name in ipairs(strings) do
        if r[name] then o[name], given = V.bytes(r[name]), true end
    end
    for _, name in ipairs(sizes) do
        if r[name] and r[name] ~= "unknown" then
            o[name], given = T.number(r[name]), true
            if not o[name] then return nil end
            if name == "last_node" then o[name] = o[name] == 1 end
        end
    end
    return given and o or {}
end

local pick = T.random(20261130)
local function pieces(h, input)
    local i, n = 1, #input
    while i <= n do
        local size = ({ 0, 1, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 4096 })[pick(12) + 1]
        if pick(2) == 0 then size = pick(2 * math.min(n, 70000)) + 1 end
        h:update(input:sub(i, i + size - 1))
        i = i + size
    end
    return h
end

local function check(got, want, where, how)
    if got ~= want then
        error(("%s, %s: got %s, want %s"):format(where, how, T.hex(got):sub(1, 128), T.hex(want):sub(1, 128)), 0)
    end
end

local function digest(r, where)
    local o = options_of(r)
    local seek = r.seek and T.number(r.seek)
    if not o or r.seek and not seek then return false end
    local input, want = V.bytes(r.input), V.bytes(r.output)
    local new = hashcore[r.alg] or function(options) return hashcore.new(r.alg, options) end
    local whole, parts
    if r.alg == "blake3" then
        o.digest_size, o.seek = #want, seek
        whole = hashcore.digest(r.alg, input, o)
        parts = hashcore.digest(r.alg, input:sub(1, 5), "", input:sub(6, 100), input:sub(101), o)
        o.digest_size, o.seek = nil, nil
    elseif not seek and r.digest_size ~= "unknown" then
        whole = hashcore.digest(r.alg, input, o)
        parts = hashcore.digest(r.alg, input:sub(1, 5), "", input:sub(6, 100), input:sub(101), o)
    end
    if whole then
        check(whole, want, where, "one-shot")
        check(parts, want, where, "parts")
    end
    local long = r.alg == "blake3" or r.alg == "blake2xb"
    local function finish(h)
        if long then return h:digest(#want, seek) end
        return h:digest()
    end
    local h = new(o)
    check(finish(h:update(input)), want, where, "object")
    check(finish(h), want, where, "digest again")
    check(finish(pieces(h:reset(), input)), want, where, "pieces after reset")
    if #input <= 300 then
        h = new(o)
        for i = 1, #input do h:update(input:sub(i, i)) end
        check(finish(h), want, where, "byte by byte")
        if not seek and (not long or #want <= 64) then
            if r.alg == "blake3" then o.digest_size = #want end
            if r.digest_size ~= "unknown" then
                check(hashcore.digest_many(r.alg, { input, input:sub(2), input }, o):sub(-#want), want, where, "batch")
            end
            o.digest_size = nil
            if r.digest_size and r.digest_size ~= "unknown" then o.digest_size = T.number(r.digest_size) end
        end
    end
    if #input <= 80 then
        h = new(o)
        for i = 0, #input do
            check(finish(h:copy():update(input:sub(i + 1))), want, where, "copy after " .. i)
            h:update(input:sub(i + 1, i + 1))
        end
    end
    if long then
        local reader = h:reset():update(input):reader()
        reader:seek("set", seek or 0)
        check(reader:read(#want), want, where, "reader")
    end
    return true
end

local function xor(r, where, got)
    if r.output then
        check(got, V.bytes(r.output), where, r.op)
    else
        check(hashcore.digest("sha256", got), V.bytes(r.output_sha256), where, r.op)
    end
    return true
end

local operations = {
    digest = digest,
    xor = function(r, where)
        local sources, name = {}, "a"
        while r[name] do
            sources[#sources + 1] = V.bytes(r[name])
            name = string.char(name:byte() + 1)
        end
        return xor(r, where, hashcore.xor(T.unpack(sources)))
    end,
    xor_mask = function(r, where)
        local offset = T.number(r.offset)
        if not offset then return false end
        return xor(r, where, hashcore.xor_mask(V.bytes(r.input), V.bytes(r.key), offset))
    end,
}

-- Numbers of records that ran and that this Lua or this runner cannot express.
function V.run(dir)
    local run, skipped = 0, 0
    local list = T.windows and 'dir /b "' .. dir:gsub("/", "\\") .. '"' or "ls " .. T.quote(dir)
    local listing = assert(io.popen(list)):read("*a"):gsub("\r", "")
    local files = 0
    for name in listing:gmatch("[^\n]+") do
        if name:match("%.txt$") then
            files = files + 1
            V.each(dir .. "/" .. name, function(r, where)
                local operation = operations[r.op or "digest"]
                if operation and operation(r, where) then run = run + 1 else skipped = skipped + 1 end
            end)
        end
    end
    if files == 0 then error("no vector files in " .. dir) end
    return run, skipped
end

if arg and arg[0] and arg[0]:match("vectors%.lua$") then
    print(("tests/vectors: %d records run, %d skipped"):format(V.run(arg[1])))
end
return V
