-- merkle_trie.lua - the root of a Merkle radix trie (avalanchego's merkledb, 16 branches), one batch a height.
--
--   lua examples/lua/merkle_trie.lua [number of keys] [sha256 | blake3]
--
-- A node's bytes are uvarint(children); for each child uvarint(index) and its id; 0, or 1 and uvarint(length) and the
-- value's digest; uvarint(bits of the key) and the key. Its id is their hash. A node needs only the ids of lower
-- nodes, so all nodes of one height are hashed by a single call of digest_many.
local hashcore = require "hashcore"
local trie = {}

-- Unsigned integer, seven bits a byte, the lowest first (Go's binary.PutUvarint).
function trie.uvarint(n)
    local out = {}
    while n >= 128 do
        out[#out + 1] = string.char(n % 128 + 128)
        n = math.floor(n / 128)
    end
    out[#out + 1] = string.char(n)
    return table.concat(out)
end

-- i-th half byte of a key, from 0.
local function nibble(key, i)
    local byte = key:byte(math.floor(i / 2) + 1)
    return i % 2 == 1 and byte % 16 or math.floor(byte / 16)
end

-- The first n half bytes of a key, an odd last one padded with 0.
local function prefix(key, n)
    if n % 2 == 0 then return key:sub(1, n / 2) end
    local last = (n + 1) / 2
    return key:sub(1, last - 1) .. string.char(math.floor(key:byte(last) / 16) * 16)
end

local function common(a, b, from)
    local n, limit = from, 2 * math.min(#a, #b)
    while n < limit and nibble(a, n) == nibble(b, n) do n = n + 1 end
    return n
end

function trie.encode(node)
    local parts = { trie.uvarint(#node) }
    for _, child in ipairs(node) do
        parts[#parts + 1] = trie.uvarint(child.index)
        parts[#parts + 1] = child.id
    end
    if node.value then
        parts[#parts + 1] = "\1" .. trie.uvarint(#node.value) .. node.value
    else
        parts[#parts + 1] = "\0"
    end
    parts[#parts + 1] = trie.uvarint(4 * node.nibbles) .. node.key
    return table.concat(parts)
end

-- The trie over keys[from .. to], which are sorted and share their first 'depth' half bytes. A node is a list of its
-- children with key, nibbles, value, height; heights[h] collects the nodes of height h.
local function build(keys, values, heights, from, to, depth)
    local first = keys[from]
    local n = from == to and 2 * #first or common(first, keys[to], depth)
    local node = { key = prefix(first, n), nibbles = n, height = 0 }
    if 2 * #first == n then
        node.value, from = values[first], from + 1
    end
    while from <= to do
        local index, last = nibble(keys[from], n), from
        while last < to and nibble(keys[last + 1], n) == index do last = last + 1 end
        local child = build(keys, values, heights, from, last, n + 1)
        child.index = index
        node[#node + 1] = child
        node.height = math.max(node.height, child.height + 1)
        from = last + 1
    end
    heights[node.height] = heights[node.height] or {}
    table.insert(heights[node.height], node)
    return node
end

-- Root id of a table of keys and values; also the number of nodes.
function trie.root(values, algorithm, threads)
    local keys, digests, long = {}, {}, {}
    for key, value in pairs(values) do
        keys[#keys + 1] = key
        if #value < 32 then digests[key] = value else long[#long + 1] = key end
    end
    table.sort(keys)
    -- Values of 32 bytes and more stand in their node as a digest.
    local messages = {}
    for i, key in ipairs(long) do messages[i] = values[key] end
    for i, digest in ipairs(hashcore.digest_many(algorithm, messages, { as_table = true, threads = threads })) do
        digests[long[i]] = digest
    end
    local heights = {}
    local root = build(keys, digests, heights, 1, #keys, 0)
    local count = 0
    for height = 0, root.height do
        local nodes, encoded = heights[height], {}
        for i, node in ipairs(nodes) do encoded[i] = trie.encode(node) end
        local ids = hashcore.digest_many(algorithm, encoded, { as_table = true, threads = threads })
        for i, node in ipairs(nodes) do node.id = ids[i] end
        count = count + #nodes
    end
    return root.id, count
end

-- The data of merkledb's own test: keys uvarint(0), uvarint(1), ..., each with the SHA-256 digest of its key.
function trie.sample(n)
    local values = {}
    for i = 0, n - 1 do
        local key = trie.uvarint(i)
        values[key] = hashcore.digest("sha256", key)
    end
    return values
end

if arg and arg[0] and arg[0]:find("merkle_trie%.lua$") then
    local n, algorithm = tonumber(arg[1] or 10000), arg[2] or "blake3"
    local values = trie.sample(n)
    local start = os.clock()
    local root, nodes = trie.root(values, algorithm)
    print(("%d keys, %d nodes, %.0f ms, %s root %s"):format(n, nodes, (os.clock() - start) * 1000, algorithm,
        hashcore.tohex(root)))
end
return trie
