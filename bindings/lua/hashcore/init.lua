-- hashcore - hashing and XOR: the C module hashcore.core, and what is glue over it: streams and Bao.
local core = require "hashcore.core"

local M = { tree = {}, bao = {} }
for name, value in pairs(core) do M[name] = value end
for _, name in ipairs { "subtree", "parent", "root", "left_len", "subtree_max" } do
    M.tree[name], M[name] = core[name], nil
end
-- The chaining values may also come as a table.
function M.tree.root(values, options)
    return core.root(type(values) == "table" and table.concat(values) or values, options)
end

M.bao.walker, M.bao.size, M.walker, M.size = core.walker, core.size, nil, nil
M._VERSION = "hashcore " .. core.version

local function bad(level, arg, name, text)
    error(("bad argument #%d to '%s' (%s)"):format(arg, name, text), level + 1)
end

-- f(...); its argument errors become those of the function 'name', whose arguments have the positions given. 'level' is
-- that of the function's caller, as seen by who calls this.
local function relay(level, name, positions, f, ...)
    local ok, result = pcall(f, ...)
    if ok then return result end
    error(tostring(result):gsub("^bad argument #(%d) to '[%w_]+'", function(n)
        return ("bad argument #%d to '%s'"):format(positions[tonumber(n)], name)
    end), level + 1)
end

-- The option of that name, and a copy of the table without it.
local function take(options, ...)
    local taken, rest = {}, {}
    for k, v in pairs(options or {}) do rest[k] = v end
    for i, name in ipairs { ... } do taken[i], rest[name] = rest[name], nil end
    return rest, taken[1], taken[2], taken[3]
end

-- ---- Files that have no position: pipes, terminals, anything with read(n) ---------------------------

local BLOCK = 65536

local function stream_digest(stream, names, options)
    if options ~= nil and type(options) ~= "table" then
        bad(3, 3, "file_digest", "table expected, got " .. type(options))
    end
    local threads, progress
    options, threads, progress = take(options, "threads", "progress")
    local more, done = { threads = threads }, 0
    relay(3, "file_digest", { 3, 3 }, core.sha256().update, core.sha256(), "", more)
    if progress ~= nil and type(progress) ~= "function" then
        bad(3, 3, "file_digest", "progress: function expected, got " .. type(progress))
    end
    local list, hashes = names, {}
    if type(names) ~= "table" then list = { names } end
    if #list < 1 then
        if type(names) ~= "table" then bad(3, 2, "file_digest", "string expected, got " .. type(names)) end
        bad(3, 2, "file_digest", "names: 0 given, 1 to 16 allowed")
    end
    for i = 1, #list do hashes[i] = relay(3, "file_digest", { 2, 3 }, core.new, list[i], options) end
    while true do
        local block, message, errno = stream:read(BLOCK)
        if not block then
            if message then return nil, message, errno end
            break
        end
        for _, h in ipairs(hashes) do h:update(block, more) end
        done = done + #block
        if progress then progress(done, nil) end
    end
    if type(names) == "table" then return hashes end
    return hashes[1]
end

--- Hash object of a file's bytes: a path from its start; an open file, a descriptor or an object with read(n)
--- from its position. nil, message and errno when the system refuses.
function M.file_digest(source, names, options)
    local kind = io.type(source)
    if kind == "file" and not source:seek("cur") or kind == nil and type(source) == "table" then
        local result, message, errno = stream_digest(source, names, options)
        return result, message, errno
    end
    return core.file_digest(source, names, options)
end

-- ---- Bao -------------------------------------------------------------------------------------------------

-- Offsets and lengths are unsigned 64-bit numbers, which the walker checks. No sum of two is made that could wrap, or
-- be rounded where Lua has only doubles: what is left of a length is counted down.
local less = math.ult or function(a, b) return a < b end

-- Where bytes come from: a function (at, size) that gives exactly those bytes, or nil and why not. 'at' is nil or
-- negative when it lies past what Lua can count, which is also past every file's end.
local function reader(source, arg, name)
    if type(source) == "string" then
        return function(at, size)
            if not at or at < 0 or at > #source - size then return nil, "the data ends too early" end
            return source:sub(at + 1, at + size)
        end, function() return #source end
    end
    if io.type(source) ~= "file" then bad(3, arg, name, "string or file expected, got " .. type(source)) end
    local here = source:seek("cur") or 0 -- a pipe is read as it comes
    return function(at, size)
        if not at or at < 0 then return nil, "the data ends too early" end
        if at ~= here then
            local ok, message, errno = source:seek("set", at)
            if not ok then return nil, message, errno end
        end
        here = at
        if size == 0 then return "" end
        local bytes, message, errno = source:read(size)
        if message then return nil, message, errno end
        if not bytes or #bytes < size then return nil, "the data ends too early" end
        here = at + size
        return bytes
    end, function()
        here = -1
        return source:seek("end")
    end
end

-- Bytes one after the other, as they stand in a slice.
local function in_order(read, from)
    local position = from or 0
    return function(_, size)
        local bytes, message, errno = read(position, size)
        if bytes then position = position + size end
        return bytes, message, errno
    end, function() return position end
end

local function writer(sink, arg, name)
    if sink == nil then
        local parts = {}
        return function(bytes) parts[#parts + 1] = bytes return true end, function() return table.concat(parts) end
    end
    if io.type(sink) ~= "file" then bad(3, arg, name, "output: file expected, got " .. type(sink)) end
    return function(bytes) return sink:write(bytes) end, function() return true end
end

-- Walks w to its end: 'parts' gives headers and parents, 'leaves' the data; 'write' gets each step's bytes, whether
-- they are data and where these stand.
local function walk(w, parts, leaves, write)
    while true do
        local kind, size, encoded_at, data_at = w:next()
        if kind == "end" then return true end
        local get, at = parts, encoded_at
        if kind == "leaf" and leaves then get, at = leaves, data_at end
        local bytes, message, errno = get(at, size)
        if not bytes then return nil, message, errno end
        local ok
        ok, message = w:put(bytes)
        if ok then ok, message, errno = write(bytes, kind == "leaf", data_at) end
        if not ok then return nil, message, errno end
    end
end

-- Remembers how far was read, to refuse what follows.
local function bounded(read, length)
    local last = 0
    return function(at, size)
        local bytes, message, errno = read(at, size)
        if bytes and at + size > last then last = at + size end
        return bytes, message, errno
    end, function()
        local size, message, errno = length()
        if not size then return nil, message, errno end
        if size > last then return nil, "data follow the end of the encoding" end
        return true
    end
end

-- Only what lies in the range, of verified leaves. They come in order, and only the first begins before the range; it
-- may end before it too, when the range lies past the end. 'at' is nil past what Lua can count, so past 'start'.
local function cut(write, start, length)
    local left = length
    return function(bytes, leaf, at)
        if not leaf then return true end
        local from, to = 0, #bytes
        if at and start and less(at, start) then from = start - at end
        if not less(from, to) then return true end
        if left then
            if less(left, to - from) then to = from + left end
            left = left - (to - from)
        end
        if from == to then return true end
        return write(from == 0 and to == #bytes and bytes or bytes:sub(from + 1, to))
    end
end

--- Encodes a string or an open file. Gives the encoding (the outboard with outboard = true) and the root hash.
--- With output = a file open for writing it goes there, and the first result is true.
function M.bao.encode(data, options)
    local rest, output = take(options, "output")
    local read, length = reader(data, 1, "encode")
    local size, message, errno = length()
    if not size then return nil, message, errno end
    local w = relay(2, "encode", { 2, 2, 2, 2, 1 }, core.walker, true, nil, rest, nil, size)
    local pieces, starts = {}, {}
    local start = 0
    local function emit(at, bytes)
        if output then
            local ok, why, code = output:seek("set", start + at)
            if ok then ok, why, code = output:write(bytes) end
            return ok, why, code
        end
        if not pieces[at] then starts[#starts + 1] = at end
        pieces[at] = bytes
        return true
    end
    if output then
        if io.type(output) ~= "file" then bad(2, 2, "encode", "output: file expected, got " .. type(output)) end
        start, message, errno = output:seek("cur")
        if not start then return nil, message, errno end
    end
    while true do
        local kind, n, encoded_at, data_at = w:next()
        if kind == "end" then break end
        local bytes
        if kind == "leaf" then
            bytes, message, errno = read(data_at, n)
            if not bytes then return nil, message, errno end
            w:put(bytes)
        else
            bytes = w:get()
        end
        if kind ~= "leaf" or not rest.outboard then
            local ok
            ok, message, errno = emit(encoded_at, bytes)
            if not ok then return nil, message, errno end
        end
    end
    local root = w:get()
    w:close()
    if output then
        local ok
        ok, message, errno = output:seek("end")
        if not ok then return nil, message, errno end
        return true, root
    end
    table.sort(starts)
    for i, at in ipairs(starts) do starts[i] = pieces[at] end
    return table.concat(starts), root
end

-- The walk behind decode and slice. With an outboard the data stand beside it.
local function run(name, positions, source, root, rest, outboard, start, length, write)
    rest.outboard = outboard ~= nil
    local w = relay(3, name, positions, core.walker, false, root, rest, start, length)
    local read, size = reader(source, 1, name)
    local leaves, check_leaves
    if outboard ~= nil then
        leaves, check_leaves = bounded(read, size)
        read, size = reader(outboard, 3, name)
    end
    local parts, check = bounded(read, size)
    local ok, message, errno = walk(w, parts, leaves, write)
    w:close()
    if ok and root and (start or 0) == 0 and not length then
        ok, message, errno = check()
        if ok and leaves then ok, message, errno = check_leaves() end
    end
    return ok, message, errno
end

--- The verified data of an encoding (string or open file), or of data beside an outboard (option outboard: string or
--- open file); with options start and length a part of them. nil, message when anything does not match the root.
function M.bao.decode(source, root, options)
    local rest, outboard, output = take(options, "outboard", "output")
    local rest2, start, length = take(rest, "start", "length")
    if type(root) ~= "string" then bad(2, 2, "decode", "root: string expected, got " .. type(root)) end
    local write, finish = writer(output, 3, "decode")
    write = cut(write, start, length)
    local ok, message, errno = run("decode", { 1, 2, 3, 3, 3 }, source, root, rest2, outboard, start, length, write)
    if not ok then return nil, message, errno end
    return finish()
end

--- The slice of an encoding that decode_slice verifies: length bytes from start.
function M.bao.slice(source, start, length, options)
    local rest, outboard, output = take(options, "outboard", "output")
    local write, finish = writer(output, 4, "slice")
    local ok, message, errno = run("slice", { 1, 1, 4, 2, 3 }, source, nil, rest, outboard, start, length, write)
    if not ok then return nil, message, errno end
    return finish()
end

--- The verified data of a slice, made for the same start and length.
function M.bao.decode_slice(source, root, start, length, options)
    local rest, output = take(options, "output")
    if type(root) ~= "string" then bad(2, 2, "decode_slice", "root: string expected, got " .. type(root)) end
    local w = relay(2, "decode_slice", { 1, 2, 5, 3, 4 }, core.walker, false, root, rest, start, length)
    local read, size = reader(source, 1, "decode_slice")
    local parts, position = in_order(read)
    local write, finish = writer(output, 5, "decode_slice")
    local ok, message, errno = walk(w, parts, nil, cut(write, start, length))
    w:close()
    if ok then
        local total
        total, message, errno = size()
        ok = total and total == position()
        if total and not ok then message = "data follow the end of the slice" end
    end
    if not ok then return nil, message, errno end
    return finish()
end

return M
