-- test_many.lua - batches: every form of input and output equals one digest at a time.
local T = require "harness"
local hashcore = require "hashcore"
local eq, ok, raises, mod251 = T.eq, T.ok, T.raises, T.mod251

local key32 = mod251(40):sub(5, 36)
local settings = {
    { "sha224", nil }, { "sha256", nil }, { "hmac-sha256", { key = "key" } }, { "hmac-sha224", { key = mod251(100) } },
    { "blake2b", nil }, { "blake2b", { digest_size = 20, key = "k", salt = "s", person = "p" } },
    { "blake2xb", { digest_size = 77 } }, { "blake3", nil }, { "blake3", { key = key32 } },
    { "blake3", { derive_key_context = "tests" } }, { "blake3", { digest_size = 131 } },
}

local function with(options, more)
    local all = {}
    for k, v in pairs(options or {}) do all[k] = v end
    for k, v in pairs(more) do all[k] = v end
    return all
end

local function messages(count, longest, seed)
    local pick, list = T.random(seed), {}
    for i = 1, count do
        local n = pick(4) == 0 and pick(longest) or pick(200)
        list[i] = mod251(n + i):sub(i % (i + n) + 1, i % (i + n) + n)
    end
    return list
end

local function one_by_one(name, list, options, prefix)
    local all = {}
    for i, m in ipairs(list) do all[i] = hashcore.digest(name, prefix or "", m, options) end
    return all
end

local function each(f)
    return function()
        for _, s in ipairs(settings) do f(s[1], s[2] or {}) end
    end
end

return {
    { "a table of strings", each(function(name, options)
        for _, count in ipairs { 0, 1, 2, 3, 7, 8, 16, 33, 100 } do
            local list = messages(count, 5000, count + 1)
            local want = one_by_one(name, list, options)
            eq(hashcore.digest_many(name, list, options), table.concat(want))
            local got = hashcore.digest_many(name, list, with(options, { as_table = true }))
            eq(#got, count)
            for i = 1, count do eq(got[i], want[i], name .. " message " .. i) end
        end
    end) },

    { "one string of equal items", each(function(name, options)
        for _, size in ipairs { 1, 31, 32, 64, 65, 128, 1000, 1024, 1025 } do
            local data, list = mod251(size * 37), {}
            for i = 1, 37 do list[i] = data:sub((i - 1) * size + 1, i * size) end
            local want = table.concat(one_by_one(name, list, options))
            eq(hashcore.digest_many(name, data, with(options, { item_size = size })), want, name .. " of " .. size)
        end
        eq(hashcore.digest_many(name, "", with(options, { item_size = 5 })), "")
    end) },

    { "one string and offsets", each(function(name, options)
        local list = messages(50, 3000, 9)
        local offsets = { 3 }
        for i, m in ipairs(list) do offsets[i + 1] = offsets[i] + #m end
        local data = "..." .. table.concat(list) .. "......"
        eq(hashcore.digest_many(name, data, with(options, { offsets = offsets })), table.concat(one_by_one(name, list, options)))
        eq(hashcore.digest_many(name, data, with(options, { offsets = { 0 } })), "")
    end) },

    { "a prefix before every message", each(function(name, options)
        for _, prefix in ipairs { "\0", "\1", mod251(64), mod251(1024), "" } do
            local list = messages(20, 3000, 5)
            eq(hashcore.digest_many(name, list, with(options, { prefix = prefix })),
                table.concat(one_by_one(name, list, options, prefix)))
        end
    end) },

    { "threads", each(function(name, options)
        local list = messages(300, 20000, 11)
        local want = table.concat(one_by_one(name, list, options))
        for _, threads in ipairs { 0, 1, 2, 5, "auto" } do
            eq(hashcore.digest_many(name, list, with(options, { threads = threads })), want, tostring(threads))
        end
    end) },

    { "arguments", function()
        local many = hashcore.digest_many
        raises({ "bad argument #1 to 'digest_many'", "unknown algorithm" }, many, "md5", {})
        raises({ "bad argument #2 to 'digest_many'", "string expected, got nil" }, many, "sha256")
        raises({ "bad argument #2 to 'digest_many'", "item 2: string expected, got number" }, many, "sha256", { "a", 5 })
        raises({ "bad argument #2 to 'digest_many'", "item 1: string expected, got boolean" }, many, "sha256", { false, "a" })
        raises({ "bad argument #3 to 'digest_many'", "item_size or offsets" }, many, "sha256", "abc")
        raises({ "item_size or offsets" }, many, "sha256", "abc", { item_size = 1, offsets = { 0 } })
        raises({ "bad argument #3", "for messages in one string only" }, many, "sha256", { "a" }, { item_size = 1 })
        raises({ "bad argument #2 to 'digest_many'", "data: 7 bytes given, 6 needed" }, many, "sha256", mod251(7), { item_size = 3 })
        raises({ "item_size: number expected, got string" }, many, "sha256", "abc", { item_size = "3" })
        raises({ "item_size or offsets" }, many, "sha256", "abc", { item_size = 0 })
        raises({ "offsets: table expected, got string" }, many, "sha256", "abc", { offsets = "0" })
        raises({ "offsets: 0 given" }, many, "sha256", "abc", { offsets = {} })
        raises({ "offsets: number expected, got string" }, many, "sha256", "abc", { offsets = { 0, "1" } })
        raises({ "offsets: -1 given" }, many, "sha256", "abc", { offsets = { -1, 1 } })
        raises({ "bad argument #3 to 'digest_many'", "offsets[2]" }, many, "sha256", "abc", { offsets = { 0, 2, 1 } })
        raises({ "bad argument #3 to 'digest_many'", "offsets[1]" }, many, "sha256", "abc", { offsets = { 0, 4 } })
        raises({ "as_table: boolean expected, got string" }, many, "sha256", {}, { as_table = "yes" })
        raises({ "threads: number expected, got string" }, many, "sha256", {}, { threads = "2" })
        raises({ "unknown option 'seek'" }, many, "blake3", {}, { seek = 1 })
        raises({ "digest_size: needed" }, many, "blake2xb", { "a" })
        raises({ "digest_size" }, many, "blake2b", { "a" }, { digest_size = 65 })
        raises({ "table expected, got string" }, many, "sha256", {}, "x")
        raises({ "key: needed" }, many, "hmac-sha256", { "a" })
    end },

    -- Long messages beside short ones: lanes that end at different times, and what fills them again.
    { "messages up to 70,000 bytes", each(function(name, options)
        local pick, list = T.random(70000), {}
        for i, n in ipairs { 70000, 0, 65536, 1, 65535, 65537, 4096, 69999, 32768, 1024, 131, 16385, 70000, 8193 } do
            list[i] = mod251(n + i):sub(i + 1)
        end
        for i = 15, 24 do list[i] = mod251(pick(70001) + i):sub(i + 1) end
        local want = one_by_one(name, list, options)
        local got = hashcore.digest_many(name, list, with(options, { as_table = true }))
        for i = 1, #list do eq(got[i], want[i], ("%s: message %d of %d bytes"):format(name, i, #list[i])) end
        eq(hashcore.digest_many(name, list, with(options, { threads = 2 })), table.concat(want))
        local offsets = { 0 }
        for i, m in ipairs(list) do offsets[i + 1] = offsets[i] + #m end
        eq(hashcore.digest_many(name, table.concat(list), with(options, { offsets = offsets })), table.concat(want))
    end) },

    { "messages of 0 to 4,096 bytes, mixed", each(function(name, options)
        local pick, list = T.random(4096), {}
        for i = 1, 250 do list[i] = mod251(pick(4097) + i):sub(i + 1) end
        for i, n in ipairs { 0, 4096, 0, 0, 4095, 1, 4096 } do list[i * 31] = mod251(n + i):sub(i + 1) end
        local want = one_by_one(name, list, options)
        local got = hashcore.digest_many(name, list, with(options, { as_table = true }))
        for i = 1, #list do eq(got[i], want[i], ("%s: message %d of %d bytes"):format(name, i, #list[i])) end
        for _, threads in ipairs { 2, "auto" } do
            eq(hashcore.digest_many(name, list, with(options, { threads = threads })), table.concat(want), tostring(threads))
        end
    end) },

    { "tables that change under a finalizer", function()
        -- A finalizer that runs while the digests get their memory empties the table: an error or the digests, no crash.
        local newproxy = rawget(_G, "newproxy")
        for round = 1, 60 do
            local list, options = {}, { key = ("k"):rep(40) .. round }
            for i = 1, 2000 do list[i] = ("message %d of round %d"):format(i, round) end
            local function empty()
                for i = 1, #list do list[i] = nil end
                options.key = nil
                collectgarbage()
            end
            if newproxy then
                local p = newproxy(true)
                getmetatable(p).__gc = empty
            else
                setmetatable({}, { __gc = empty })
            end
            collectgarbage("step", round % 7)
            local done, message = pcall(hashcore.digest_many, "blake2b", list, options)
            ok(done or tostring(message):find("string expected, got nil", 1, true), message)
            collectgarbage()
        end
    end },
}
