-- memory.lua - run by host.c: what happens when memory runs out at every allocation, what is held after, what is wiped.
local T = require "harness"
local hashcore = require "hashcore"
local eq, ok, mod251 = T.eq, T.ok, T.mod251

-- LuaJIT itself does not survive every allocation that fails: not in compiled code, nor in string.sub (errors leave its
-- pcall), so it is off here, the data are made before, and Bao's glue, which cuts strings, is left out.
local luajit = rawget(_G, "jit")
if luajit then luajit.off() end

local key32 = mod251(40):sub(5, 36)
local name = T.temporary(mod251(100000))
local encoding, root = hashcore.bao.encode(mod251(5000))
local outboard = hashcore.bao.encode(mod251(5000), { outboard = true })
local d200, d1000, d1024, d5000 = mod251(200), mod251(1000), mod251(1024), mod251(5000)
local items = {}
for i = 1, 300 do items[i] = mod251(i) end
local sha = hashcore.sha256():update("abc")
local image = hashcore.blake3 { key = key32 }:export()

local operations = {
    constructors = function()
        hashcore.sha256():update("a", "b"):copy():reset()
        hashcore.blake2b { key = "k", salt = "s", person = "p", digest_size = 20 }:hexdigest()
        hashcore.blake3 { derive_key_context = "c" }:digest(5000)
        hashcore.hmac("sha256", "k"):digest()
    end,
    digests = function()
        eq(#hashcore.digest("blake3", "x", { digest_size = 10000 }), 10000)
        eq(#hashcore.hexdigest("blake3", "x", { digest_size = 10000, key = key32, seek = 5 }), 20000)
        eq(hashcore.hexdigest("sha256", "a", "b", "c"), sha:hexdigest())
        hashcore.digest("sha256", T.unpack(items, 1, 100))
    end,
    batches = function()
        eq(#hashcore.digest_many("blake3", items), 9600)
        eq(#hashcore.digest_many("sha256", items, { as_table = true, prefix = "p" }), 300)
        eq(#hashcore.digest_many("blake2b", d1000, { item_size = 10, digest_size = 20 }), 2000)
        eq(#hashcore.digest_many("sha256", d1000, { offsets = { 0, 10, 500, 1000 }, threads = 2 }), 96)
    end,
    bytes = function()
        eq(#hashcore.xor(d5000, d5000, d5000), 5000)
        eq(#hashcore.xor_mask(d5000, "mask"), 5000)
        eq(#hashcore.fromhex(hashcore.tohex(d5000)), 5000)
    end,
    files = function()
        local all = assert(hashcore.file_digest(name, { "sha256", "blake3", "blake2b" }, { progress = function() end }))
        eq(#all[1]:digest(), 32)
        local f = assert(io.open(name, "rb"))
        hashcore.file_digest(f, "blake3", { threads = 2 })
        f:close()
    end,
    ["streams and images"] = function()
        local r = hashcore.blake3 { key = key32 }:reader()
        eq(#r:read(3000), 3000)
        r:copy():seek("set", 5)
        hashcore.import("blake3", image):export()
    end,
    trees = function()
        local a, b = hashcore.tree.subtree(d1024, 0), hashcore.tree.subtree(d1024, 1)
        hashcore.tree.root { a, b }
        hashcore.tree.parent(a, b, { key = key32 })
    end,
    bao = function()
        eq(hashcore.bao.decode(encoding, root), d5000)
        eq(hashcore.bao.decode(d5000, root, { outboard = outboard }), d5000)
        eq(hashcore.bao.decode_slice(hashcore.bao.slice(encoding, 100, 100), root, 100, 100), d200:sub(101))
        hashcore.bao.encode(d5000, { key = key32 })
    end,
    cpu = function()
        hashcore.cpu()
        hashcore.algorithms()
        tostring(sha)
    end,
    errors = function()
        local done, message = pcall(hashcore.digest, "nope", "x")
        if not done and tostring(message):find("not enough memory", 1, true) then error(message, 0) end
        done, message = pcall(sha.digest, sha, "x")
        if not done and tostring(message):find("not enough memory", 1, true) then error(message, 0) end
    end,
}

local function settle()
    for _ = 1, 3 do collectgarbage() end
    return host.bytes()
end

local names = {}
for what in pairs(operations) do
    if what ~= "bao" or not luajit then names[#names + 1] = what end
end
table.sort(names)

for _, what in ipairs(names) do
    local operation = operations[what]
    -- Memory runs out at the first, the second, ... allocation, until the operation comes through.
    local function failing()
        local n = 0
        while true do
            host.fail_after(n)
            local done, message = pcall(operation)
            host.fail_after(nil)
            if done then return n end
            ok(tostring(message):find("not enough memory", 1, true), ("%s, allocation %d: %s"):format(what, n, tostring(message)))
            n = n + 1
            if n > 5000 then error(what .. " never comes through") end
        end
    end
    local n = failing()
    failing()
    local before = settle()
    for _ = 1, 3 do failing() end
    local after = settle()
    ok(after <= before + 512, ("%s: %d bytes more are held"):format(what, after - before))
    for _ = 1, 20 do operation() end -- stacks may grow once
    before = settle()
    for _ = 1, 40 do operation() end
    local more = settle() - before
    ok(more <= 512, ("%s: repeated calls hold %d bytes more"):format(what, more))
    if _VERSION ~= "Lua 5.1" then -- a whole collection at every allocation
        host.stress(true)
        local done, message = pcall(operation)
        host.stress(false)
        ok(done, message)
    end
    local more = settle() - before
    ok(more <= 512, ("%s: repeated calls hold %d bytes more"):format(what, more))
    print(("  %s: %d allocations, each failed once"):format(what, n))
end
eq(sha:hexdigest(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")

-- Errors thrown in a callback: nothing is held, no descriptor stays open.
local function descriptors()
    local list = T.shell("ls /proc/$PPID/fd 2>/dev/null")
    return select(2, list:gsub("\n", ""))
end
local function throw()
    pcall(hashcore.file_digest, name, { "blake3", "sha256" }, { threads = 2, progress = function() error {} end })
end
throw()
local before, open = settle(), descriptors()
for _ = 1, 200 do throw() end
ok(settle() <= before + 512, "errors in callbacks hold memory")
ok(descriptors() < open + 10, "errors in callbacks leave descriptors open")

-- Keys are gone before their memory is: nothing that holds them is freed.
host.watch(key32)
do
    local h = hashcore.blake3 { key = key32 }:update("abc")
    local g = hashcore.blake2b { key = key32 }
    local parts = { h:copy(), h:reader(), h:reader():copy(), g:copy(), hashcore.import("blake3", image),
        hashcore.bao.walker(false, root, { key = key32 }), hashcore.bao.walker(true, nil, { key = key32 }, nil, 5) }
    ok(#parts == 7)
    hashcore.tree.subtree("abc", 0, { key = key32 })
    h:close()
end
settle()
settle()
eq(host.watch(key32), 0, "freed blocks that held the key")

-- The watch sees what it should: a string with those bytes is not wiped.
do
    local copy = key32 .. "!"
    ok(#copy == 33)
end
settle()
ok(host.watch(key32) > 0, "the watch is blind")

-- A state closed while a coroutine waits in the middle of everything.
local held, left = host.close_later([[
    package.path, package.cpath = ]] .. ("%q, %q"):format(package.path, package.cpath) .. [[
    local hashcore = require "hashcore"
    local kept = { hashcore.sha256(), hashcore.blake3 { key = ("k"):rep(32) }:reader(), hashcore.bao.walker(false) }
    kept[4] = kept[1]:copy()
    kept[4]:close()
    local late = coroutine.wrap(function()
        local inner = hashcore.blake3():update("abc")
        coroutine.yield(inner)
        return inner
    end)
    kept[5] = late()
    -- Finalizers that still use objects, which may have been finalized before them.
    local function last() for _, o in ipairs(kept) do pcall(o.digest, o) pcall(o.close, o) pcall(tostring, o) end end
    if newproxy then
        local p = newproxy(true)
        getmetatable(p).__gc = last
        kept[6] = p
    else
        kept[6] = setmetatable({}, { __gc = last })
    end
    everything = kept
    coroutine.yield()
]])
ok(held > 10000 and left == 0, ("%d bytes held, %d left"):format(held, left))
os.remove(name)
print("memory: all is well")
