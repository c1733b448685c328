-- speed.lua - lines `library algorithm bytes nanoseconds` (the least of alternating runs) for hashcore and luaossl.
local hashcore = require "hashcore"
local has_ossl, ossl = pcall(require, "openssl.digest")

local function least(functions, data, calls)
    local best = {}
    for _ = 1, 15 do
        for i, f in ipairs(functions) do
            local start = os.clock()
            for _ = 1, calls do f(data) end
            local ns = (os.clock() - start) * 1e9 / calls
            best[i] = math.min(best[i] or ns, ns)
        end
    end
    return best
end

for _, name in ipairs { "sha256", "blake2b", "blake3" } do
    local libraries, functions = { "hashcore" }, { function(d) return hashcore.hexdigest(name, d) end }
    local theirs = ({ sha256 = "sha256", blake2b = "blake2b512" })[name]
    if has_ossl and theirs then
        libraries[2], functions[2] = "luaossl", function(d) return ossl.new(theirs):final(d) end
    end
    for _, case in ipairs { { 64, 2000 }, { 1 << 24, 1 } } do
        local best = least(functions, ("\0"):rep(case[1]), case[2])
        for i, library in ipairs(libraries) do
            print(("%s %s %d %.1f"):format(library, name, case[1], best[i]))
        end
    end
end
