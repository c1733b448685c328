-- harness.lua - what the Lua tests share: assertions, bytes, numbers as this Lua has them, and child processes.
local T = {}

-- The script that was started, from which the checkout and the interpreter are known. busted tells no arg[-1].
local script = arg and arg[0] or "tests/lua/run.lua"
T.root = script:match("^(.*)tests/lua/[^/]*$") or "./"
if T.root == "" then T.root = "./" end
do
    local i = 0
    while arg and arg[i - 1] do i = i - 1 end
    local name = rawget(_G, "jit") and "luajit" or _VERSION:lower():gsub(" ", "")
    T.interpreter = os.getenv("HASHCORE_TEST_LUA") or (i < 0 and not script:find("busted") and arg[i]) or name
end

T.unpack = table.unpack or unpack
T.load = loadstring or load
T.integers = math.type ~= nil -- 64-bit integers; else all numbers are doubles
T.windows = package.config:sub(1, 1) == "\\"
T.version = rawget(_G, "jit") and "LuaJIT" or _VERSION

-- A test that cannot run here says why; the runner counts it as skipped.
T.SKIP = {}
function T.skip(why) error(setmetatable({ why = why }, T.SKIP), 0) end
function T.slow() -- hashes gigabytes
    if os.getenv("HASHCORE_TEST_SHORT") then T.skip("HASHCORE_TEST_SHORT is set, for emulators") end
end

local function show(v)
    if type(v) ~= "string" then return tostring(v) end
    if #v > 160 then return ("%q... (%d bytes)"):format(v:sub(1, 160), #v) end
    return ("%q"):format(v)
end

function T.eq(got, want, what)
    if got ~= want then
        error(("%s: got %s, want %s"):format(what or "values differ", show(got), show(want)), 2)
    end
end

function T.ok(value, what)
    if not value then error(what or "not true", 2) end
    return value
end

-- f(...) raises an error that holds every one of the texts (one string, or a table of them).
function T.raises(texts, f, ...)
    local ok, message = pcall(f, ...)
    if ok then error("no error, expected " .. show(type(texts) == "table" and texts[1] or texts), 2) end
    for _, text in ipairs(type(texts) == "table" and texts or { texts }) do
        if not tostring(message):find(text, 1, true) then
            error(("error %s lacks %s"):format(show(tostring(message)), show(text)), 2)
        end
    end
    return message
end

-- The same, called from a chunk of its own, whose line 3 the error must name: it is the caller's affair, not the glue's.
function T.blames(texts, f, ...)
    local call = T.load("local f, unpack, n, a = ...\nlocal result =\nf(unpack(a, 1, n))\nreturn result", "=caller")
    local n, a = select("#", ...), { ... }
    local message = T.raises(texts, call, f, T.unpack, n, a)
    if not message:find("^caller:3: bad argument #%d to '") then error("not the caller: " .. show(message), 2) end
end

function T.hex(s) return (s:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end
function T.unhex(s) return (s:gsub("%x%x", function(d) return string.char(tonumber(d, 16)) end)) end

local base
do
    local bytes = {}
    for i = 0, 250 do bytes[i + 1] = string.char(i) end
    base = table.concat(bytes)
end
local longest = ""
-- Byte i is i % 251.
function T.mod251(n)
    if n > #longest then longest = base:rep(math.ceil(n / 251)) end
    return longest:sub(1, n)
end
function T.zero(n) return ("\0"):rep(n) end

-- A decimal of up to 2^64 - 1 as the library takes it; nil where this Lua has no exact number for it.
function T.number(text)
    if T.integers then
        local n = 0
        for digit in text:gmatch("%d") do n = n * 10 + math.tointeger(tonumber(digit)) end
        return n
    end
    if #text > 16 or #text == 16 and text > "9007199254740992" then return nil end
    return tonumber(text)
end

-- Bytes that look random, from a seed of their own.
function T.random(seed)
    local state = seed
    return function(n) -- 0 .. n - 1
        state = (state * 16807) % 2147483647
        return state % n
    end
end

function T.temporary(bytes)
    local name = os.tmpname()
    local f = assert(io.open(name, "wb"))
    assert(f:write(bytes))
    f:close()
    return name
end

function T.read_all(name)
    local f = assert(io.open(name, "rb"))
    local s = f:read("*a")
    f:close()
    return s
end

local function quote(s) return "'" .. s:gsub("'", "'\\''") .. "'" end
T.quote = quote

-- Output and success of a shell command.
function T.shell(command)
    if T.windows then T.skip("needs a Unix shell") end
    local f = assert(io.popen(command .. " 2>&1; echo status=$?", "r"))
    local out = f:read("*a")
    f:close()
    local text, status = out:match("^(.*)status=(%d+)%s*$")
    return text, tonumber(status)
end

-- The same Lua on a script of the checkout (or "-"), with environment variables from a table.
function T.lua(arguments, environment, stdin)
    local words = {}
    for k, v in pairs(environment or {}) do words[#words + 1] = k .. "=" .. quote(v) end
    words[#words + 1] = quote(T.interpreter)
    for _, a in ipairs(arguments) do words[#words + 1] = quote(a) end
    if stdin then words[#words + 1] = "< " .. quote(stdin) end
    return T.shell(table.concat(words, " "))
end

-- Dispatch levels of this processor, each with and without its instructions for SHA-256.
function T.levels(detected)
    local x86 = { "portable", "sse2", "sse41", "avx2", "avx512" }
    local list = {}
    for _, name in ipairs(x86) do
        list[#list + 1] = name
        if name == detected:match("^[^,]*") then break end
    end
    local top = detected:match("^[^,]*")
    if list[#list] ~= top then list = top == "portable" and { "portable" } or { "portable", top } end
    local all = {}
    for _, name in ipairs(list) do
        all[#all + 1] = name
        if name == "neon" and not detected:find("no-sha2", 1, true) then
            all[#all + 1] = name .. ",no-sha2"
        elseif (name == "sse41" or name:find("^avx")) and not detected:find("no-shani", 1, true) then
            all[#all + 1] = name .. ",no-shani"
        end
    end
    return all
end

return T
