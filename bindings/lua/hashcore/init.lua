-- hashcore - hashing and XOR: the C module hashcore.core, and what is glue over it: streams and Bao.
local core = require "hashcore.core"

local M = { tree = {}, bao = {} }
for name, value in pairs(core) do M[name] = value end
for _, name in ipairs { "subtree", "parent", "root", "left_len", "subtree_max" } do
    M.tree[name], M[name] = core[name], nil
end
M.bao.walker, M.bao.size, M.walker, M.size = core.walker, core.size, nil, nil
M._VERSION = "hashcore " .. core.version

-- Errors. 'level' is that of the public function's caller, as seen by who calls these functions, none of which may be
-- called as a tail call: that would take a level away.
local function bad(level, n, name, text, ...)
    error(("bad argument #%d to '%s' (%s)"):format(n, name, text:format(...)), level + 1)
end

-- core[from](...); its argument errors become those of the function 'name', whose arguments have the positions given.
-- What else is thrown, by a callback too, stays as it is.
local function relay(level, name, positions, from, ...)
    local ok, a, b, c = pcall(core[from], ...)
    if ok then return a, b, c end
    local n, text
    if type(a) == "string" then n, text = a:match("^bad argument #(%d) to '" .. from .. "' (.*)") end
    if not n then error(a, 0) end
    error(("bad argument #%d to '%s' "):format(positions[tonumber(n)], name) .. text, level + 1)
end

-- A copy of the options without those named, and these.
local function take(level, n, name, options, ...)
    if options ~= nil and type(options) ~= "table" then bad(level + 1, n, name, "table expected, got %s", type(options)) end
    local taken, rest = {}, {}
    for k, v in pairs(options or {}) do rest[k] = v end
    for i, key in ipairs { ... } do taken[i], rest[key] = rest[key], nil end
    return rest, taken[1], taken[2], taken[3], taken[4]
end

-- The chaining values may also come as a table.
function M.tree.root(values, options)
    if type(values) == "table" then
        for i = 1, #values do
            if type(values[i]) ~= "string" then bad(2, 1, "root", "item %d: string expected, got %s", i, type(values[i])) end
        end
        values = table.concat(values)
    end
    local digest = relay(2, "root", { 1, 2 }, "root", values, options)
    return digest
end

-- ---- Files that have no position: pipes, terminals, anything with read(n) ---------------------------

local BLOCK = 65536

local function stream_digest(stream, names, options)
    local threads, progress
    options, threads, progress = take(3, 3, "file_digest", options, "threads", "progress")
    local more, done = { threads = threads }, 0
    -- Readers of this module say by an empty string that nothing follows; of others it says nothing.
    local is_reader = type(stream) == "userdata" and getmetatable(stream) == getmetatable(core.blake3():reader())
    relay(3, "file_digest", { 3, 3, 3 }, "digest", "sha256", "", more) -- checks the threads
    if progress ~= nil and type(progress) ~= "function" then
        bad(3, 3, "file_digest", "progress: function expected, got %s", type(progress))
    end
    local many = type(names) == "table"
    local list, hashes = many and names or { names }, {}
    if #list < 1 or #list > 16 then
        if not many then bad(3, 2, "file_digest", "string expected, got %s", type(names)) end
        bad(3, 2, "file_digest", "names: %d given, 1 to 16 allowed", #list)
    end
    for i = 1, #list do hashes[i] = relay(3, "file_digest", { 2, 3 }, "new", list[i], options) end
    while true do
        local block, message, errno = stream:read(BLOCK)
        if not block and message then return nil, message, errno end
        if not block or block == "" and is_reader then break end
        if type(block) ~= "string" then bad(3, 1, "file_digest", "read: string expected, got %s", type(block)) end
        for _, h in ipairs(hashes) do h:update(block, more) end
        done = done + #block
        if progress then progress(done, nil) end
    end
    if many then return hashes end
    return hashes[1]
end

-- Whether the value has a method 'read': indexing may fail, of values without a metatable and of strict ones.
local function has_read(value)
    local ok, read = pcall(function() return value.read end)
    read = ok and type(read)
    return read == "function" or read == "table" or read == "userdata" -- what may be called
end

--- Hash object of a file's bytes: a path from its start; an open file, a descriptor or an object with read(n)
--- from its position. nil, message and errno when the system refuses.
function M.file_digest(source, names, options)
    local kind = io.type(source) or type(source)
    local stream
    if kind == "file" then
        stream = not source:seek("cur")
    else
        stream = kind ~= "closed file" and kind ~= "string" and kind ~= "number" and has_read(source)
    end
    if stream then
        local result, message, errno = stream_digest(source, names, options)
        return result, message, errno
    end
    local result, message, errno = relay(2, "file_digest", { 1, 2, 3 }, "file_digest", source, names, options)
    return result, message, errno
end

-- ---- Bao -------------------------------------------------------------------------------------------------

-- Offsets and lengths are unsigned 64-bit numbers, which the walker checks. No sum of two is made that could wrap, or
-- be rounded where Lua has only doubles: what is left of a length is counted down.
local less = math.ult or function(a, b) return a < b end

-- Where bytes come from: a function (at, size) that gives exactly those bytes, or nil and why not. 'at' is nil or
-- negative when it lies past what Lua can count, which is also past every file's end.
local function reader(level, source, n, name, what)
    if type(source) == "string" then
        return function(at, size)
            if not at or at < 0 or at > #source - size then return nil, "the data ends too early" end
            return source:sub(at + 1, at + size)
        end, function() return #source end
    end
    if io.type(source) ~= "file" then
        bad(level + 1, n, name, "%sstring or file expected, got %s", what or "", io.type(source) or type(source))
    end
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

local function check_output(level, output, n, name)
    if output ~= nil and io.type(output) ~= "file" then
        bad(level + 1, n, name, "output: file expected, got %s", io.type(output) or type(output))
    end
end

local function writer(sink)
    if sink == nil then
        local parts = {}
        return function(bytes) parts[#parts + 1] = bytes return true end, function() return table.concat(parts) end
    end
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
    local rest, output = take(2, 2, "encode", options, "output")
    local read, length = reader(2, data, 1, "encode")
    check_output(2, output, 2, "encode")
    local size, message, errno = length()
    if not size then return nil, message, errno end
    local w = relay(2, "encode", { 2, 2, 2, 2, 1 }, "walker", true, nil, rest, nil, size)
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

-- The walk behind decode and slice, whose arguments have the positions given, as the walker's. With an outboard the
-- data stand beside it.
local function run(name, positions, source, root, rest, outboard, start, length, write)
    rest.outboard = outboard ~= nil
    local w = relay(3, name, positions, "walker", false, root, rest, start, length)
    local read, size = reader(3, source, 1, name)
    local leaves, check_leaves
    if outboard ~= nil then
        leaves, check_leaves = bounded(read, size)
        read, size = reader(3, outboard, positions[3], name, "outboard: ")
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
    local rest, outboard, output, start, length = take(2, 3, "decode", options, "outboard", "output", "start", "length")
    if type(root) ~= "string" then bad(2, 2, "decode", "root: string expected, got %s", type(root)) end
    check_output(2, output, 3, "decode")
    local write, finish = writer(output)
    write = cut(write, start, length)
    local ok, message, errno = run("decode", { 1, 2, 3, 3, 3 }, source, root, rest, outboard, start, length, write)
    if not ok then return nil, message, errno end
    return finish()
end

--- The slice of an encoding that decode_slice verifies: length bytes from start.
function M.bao.slice(source, start, length, options)
    local rest, outboard, output = take(2, 4, "slice", options, "outboard", "output")
    check_output(2, output, 4, "slice")
    local write, finish = writer(output)
    local ok, message, errno = run("slice", { 1, 1, 4, 2, 3 }, source, nil, rest, outboard, start, length, write)
    if not ok then return nil, message, errno end
    return finish()
end

--- The verified data of a slice, made for the same start and length.
function M.bao.decode_slice(source, root, start, length, options)
    local rest, output = take(2, 5, "decode_slice", options, "output")
    if type(root) ~= "string" then bad(2, 2, "decode_slice", "root: string expected, got %s", type(root)) end
    check_output(2, output, 5, "decode_slice")
    local w = relay(2, "decode_slice", { 1, 2, 5, 3, 4 }, "walker", false, root, rest, start, length)
    local read, size = reader(2, source, 1, "decode_slice")
    local parts, position = in_order(read)
    local write, finish = writer(output)
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
