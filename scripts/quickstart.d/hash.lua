-- hash.lua LIST ALGORITHM... - one line `index algorithm digest` for every file of the NUL-separated LIST.
local hashcore = require "hashcore"
local list = assert(io.open(arg[1], "rb"))
local names = { table.unpack(arg, 2) }
local index = 0
for path in list:read("a"):gmatch("([^\0]*)\0") do
    local hashes = assert(hashcore.file_digest(path, names))
    for i, name in ipairs(names) do
        print(index .. " " .. name .. " " .. hashes[i]:hexdigest())
    end
    io.stdout:flush()
    index = index + 1
end
