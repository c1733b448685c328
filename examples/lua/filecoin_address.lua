-- filecoin_address.lua - Filecoin addresses: of a public key or an actor, and back, with their checksum.
--
--   lua examples/lua/filecoin_address.lua [ADDRESS...]
--
-- Protocols 1 (secp256k1) and 2 (actor) carry BLAKE2b-160 of their data, protocol 3 (BLS) the 48-byte key itself. The
-- checksum is BLAKE2b-32 of the protocol byte and the payload; both follow in base32 without padding.
local hashcore = require "hashcore"
local address = {}

local ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
local PAYLOAD = { 20, 20, 48 }
local value_of = {}
for i = 1, 32 do value_of[ALPHABET:sub(i, i)] = i - 1 end

local function base32(bytes)
    local out, bits, n = {}, 0, 0
    for i = 1, #bytes do
        bits, n = bits * 256 + bytes:byte(i), n + 8
        while n >= 5 do
            n = n - 5
            local digit = math.floor(bits / 2 ^ n)
            out[#out + 1] = ALPHABET:sub(digit + 1, digit + 1)
            bits = bits - digit * 2 ^ n
        end
    end
    if n > 0 then
        local digit = math.floor(bits * 2 ^ (5 - n))
        out[#out + 1] = ALPHABET:sub(digit + 1, digit + 1)
    end
    return table.concat(out)
end

local function unbase32(text)
    local out, bits, n = {}, 0, 0
    for i = 1, #text do
        local value = value_of[text:sub(i, i)]
        if not value then return nil, ("'%s' is no base32 digit"):format(text:sub(i, i)) end
        bits, n = bits * 32 + value, n + 5
        if n >= 8 then
            n = n - 8
            local byte = math.floor(bits / 2 ^ n)
            out[#out + 1] = string.char(byte)
            bits = bits - byte * 2 ^ n
        end
    end
    if bits ~= 0 or n >= 5 then return nil, "bits are left over" end
    return table.concat(out)
end

local function checksum(protocol, payload)
    return hashcore.digest("blake2b", string.char(protocol), payload, { digest_size = 4 })
end

--- Address of a public key (protocol 1: 65 bytes, 3: 48 bytes) or of an actor's data (2); network 'f' or 't'.
function address.encode(protocol, data, network)
    local payload = protocol == 3 and data or hashcore.digest("blake2b", data, { digest_size = 20 })
    if #payload ~= PAYLOAD[protocol] then error(("protocol %d: %d bytes given"):format(protocol, #data), 2) end
    return (network or "f") .. protocol .. base32(payload .. checksum(protocol, payload))
end

--- Protocol, payload and network of an address; nil and what is wrong with it.
function address.decode(text)
    local network, protocol, rest = text:match("^([ft])([123])(.+)$")
    if not network then return nil, "no address of protocol 1, 2 or 3" end
    protocol = tonumber(protocol)
    local bytes, message = unbase32(rest)
    if not bytes then return nil, message end
    if #bytes ~= PAYLOAD[protocol] + 4 then return nil, ("protocol %d: %d bytes given"):format(protocol, #bytes) end
    local payload = bytes:sub(1, -5)
    if not hashcore.equal(checksum(protocol, payload), bytes:sub(-4)) then return nil, "wrong checksum" end
    return protocol, payload, network
end

if arg and arg[0] and arg[0]:find("filecoin_address%.lua$") then
    local list = #arg > 0 and arg or { address.encode(2, "an actor"), address.encode(1, ("\4"):rep(65)) }
    local failed
    for _, text in ipairs(list) do
        local protocol, payload = address.decode(text)
        failed = failed or not protocol
        print(text .. ": " .. (protocol and ("protocol %d, payload %s"):format(protocol, hashcore.tohex(payload)) or payload))
    end
    if failed then os.exit(1) end
end
return address
