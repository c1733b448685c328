---@meta hashcore
-- hashcore.d.lua - types of the module hashcore for the Lua language server.

---@class hashcore
---@field version string "0.1.0"
---@field _VERSION string
---@field tree hashcore.tree
---@field bao hashcore.bao
local hashcore = {}

---@alias hashcore.algorithm
---| "sha224"
---| "sha256"
---| "hmac-sha224"
---| "hmac-sha256"
---| "blake2b"
---| "blake2xb"
---| "blake3"
---| string

---@alias hashcore.threads integer | "auto" 0 or 1: the caller alone

---@class hashcore.key_options
---@field key? string blake3: 32 bytes; blake2b, blake2xb: 0 to 64; hmac: any
---@field derive_key_context? string blake3: key derivation

---@class hashcore.options : hashcore.key_options
---@field digest_size? integer bytes of output
---@field salt? string blake2b, blake2xb: up to 16 bytes
---@field person? string blake2b, blake2xb: up to 16 bytes
---@field fanout? integer 0 to 255
---@field depth? integer 1 to 255
---@field leaf_size? integer
---@field node_offset? integer
---@field node_depth? integer
---@field inner_size? integer
---@field last_node? boolean

---@class hashcore.one_shot_options : hashcore.options
---@field seek? integer offset of the output, blake3 only
---@field threads? hashcore.threads

---@class hashcore.batch_options : hashcore.options
---@field threads? hashcore.threads
---@field prefix? string goes before every message
---@field item_size? integer for one string: the size of every message
---@field offsets? integer[] for one string: one more than there are messages
---@field as_table? boolean a table of digests instead of one string

---@class hashcore.file_options : hashcore.options
---@field threads? hashcore.threads
---@field progress? fun(done: integer, total: integer?) an error in it cancels

---@class hashcore.thread_options
---@field threads? hashcore.threads

---@class hashcore.root_options : hashcore.key_options
---@field digest_size? integer
---@field seek? integer

---@class hashcore.bao_options : hashcore.key_options
---@field group? integer 0 to 10: leaves of 2^group chunks

---@class hashcore.bao_encode_options : hashcore.bao_options
---@field outboard? boolean the tree without the data
---@field output? file* where it is written, from the current position

---@class hashcore.bao_slice_options : hashcore.bao_options
---@field outboard? string | file* then the source is the data
---@field output? file*

---@class hashcore.bao_decode_options : hashcore.bao_slice_options
---@field start? integer unsigned: -1 is 2^64 - 1
---@field length? integer unsigned

---@class hashcore.stream any value with this method: nil at the end; nil, message and errno when it fails
---@field read fun(self, size: integer): string?, string?, integer?

---@class hashcore.hash
local hash = {}
---@param ... string | hashcore.thread_options strings; a table of options may be last
---@return hashcore.hash self
function hash:update(...) end
---@param length? integer only blake3 and blake2xb
---@param seek? integer
---@return string bytes
function hash:digest(length, seek) end
---@param length? integer
---@param seek? integer
---@return string digits
function hash:hexdigest(length, seek) end
---@return hashcore.hash
function hash:copy() end
---@return hashcore.hash self
function hash:reset() end
---@return hashcore.reader
function hash:reader() end
---@param format? "native" | "go"
---@return string image holds the key of a keyed object
function hash:export(format) end
---@return string
function hash:name() end
---@return integer? size nil for blake2xb of unknown length
function hash:digest_size() end
---@return integer
function hash:block_size() end
function hash:close() end

---@class hashcore.reader
local reader = {}
---@param size integer
---@param options? hashcore.thread_options
---@return string bytes shorter at the end, then empty
function reader:read(size, options) end
---@param whence? "set" | "cur" | "end" | integer
---@param offset? integer
---@return integer position
function reader:seek(whence, offset) end
---@return integer
function reader:tell() end
---@return hashcore.reader
function reader:copy() end
function reader:close() end

---@param name hashcore.algorithm
---@param options? hashcore.options
---@return hashcore.hash
function hashcore.new(name, options) end
---@return hashcore.hash
function hashcore.sha224() end
---@return hashcore.hash
function hashcore.sha256() end
---@param options? hashcore.options
---@return hashcore.hash
function hashcore.blake2b(options) end
---@param options? hashcore.options
---@return hashcore.hash
function hashcore.blake2xb(options) end
---@param options? hashcore.key_options
---@return hashcore.hash
function hashcore.blake3(options) end
---@param name "sha224" | "sha256" | string
---@param key string
---@return hashcore.hash
function hashcore.hmac(name, key) end
---@param name hashcore.algorithm
---@param image string
---@return hashcore.hash
function hashcore.import(name, image) end

---@param name hashcore.algorithm
---@param ... string | hashcore.one_shot_options parts; a table of options may be last
---@return string bytes
function hashcore.digest(name, ...) end
---@param name hashcore.algorithm
---@param ... string | hashcore.one_shot_options
---@return string digits
function hashcore.hexdigest(name, ...) end
---@param name hashcore.algorithm
---@param items string[] | string
---@param options? hashcore.batch_options
---@return string | string[] digests
function hashcore.digest_many(name, items, options) end
---@alias hashcore.source string | file* | integer | hashcore.stream | hashcore.reader path, open file, descriptor or object with read(n)

---@overload fun(source: hashcore.source, names: string[], options?: hashcore.file_options): hashcore.hash[]?, string?
---@param source hashcore.source
---@param name hashcore.algorithm
---@param options? hashcore.file_options
---@return hashcore.hash? hash
---@return string? message
---@return integer? errno
function hashcore.file_digest(source, name, options) end

---@param ... string of one length
---@return string
function hashcore.xor(...) end
---@param data string
---@param key string
---@param offset? integer
---@return string
function hashcore.xor_mask(data, key, offset) end
---@param a string
---@param b string
---@return boolean
function hashcore.equal(a, b) end
---@param bytes string
---@return string
function hashcore.tohex(bytes) end
---@param digits string
---@return string
function hashcore.fromhex(digits) end

---@return { detected: string, enabled: string, kernels: table<string, string> }
function hashcore.cpu() end
---@return string[]
function hashcore.algorithms() end

---@class hashcore.tree
local tree = {}
---@param data string 1 to subtree_max(first_chunk) bytes
---@param first_chunk integer
---@param options? hashcore.key_options | hashcore.thread_options
---@return string value 32 bytes
function tree.subtree(data, first_chunk, options) end
---@param left string
---@param right string
---@param options? hashcore.key_options
---@return string value
function tree.parent(left, right, options) end
---@param values string | string[] two or more
---@param options? hashcore.root_options
---@return string digest
function tree.root(values, options) end
---@param length integer
---@return integer left 0: one chunk
function tree.left_len(length) end
---@param first_chunk integer
---@return integer bytes
function tree.subtree_max(first_chunk) end

---@class hashcore.bao
local bao = {}
---@param data string | file*
---@param options? hashcore.bao_encode_options
---@return string | true | nil encoding
---@return string root or a message
---@return integer? errno
function bao.encode(data, options) end
---@param source string | file* an encoding, or data beside an outboard
---@param root string
---@param options? hashcore.bao_decode_options
---@return string | true | nil data
---@return string? message
---@return integer? errno
function bao.decode(source, root, options) end
---@param source string | file*
---@param start? integer unsigned: -1 is 2^64 - 1
---@param length? integer unsigned; nil: to the end
---@param options? hashcore.bao_slice_options
---@return string | true | nil slice
---@return string? message
---@return integer? errno
function bao.slice(source, start, length, options) end
---@param slice string | file*
---@param root string
---@param start? integer
---@param length? integer
---@param options? hashcore.bao_options | { output?: file* }
---@return string | true | nil data
---@return string? message
---@return integer? errno
function bao.decode_slice(slice, root, start, length, options) end
---@param length integer of the data
---@param options? { group?: integer, outboard?: boolean }
---@return integer bytes
function bao.size(length, options) end

---@class hashcore.bao_walker
local walker = {}
---@return "header" | "parent" | "leaf" | "end" kind
---@return integer size
---@return integer? encoded_at
---@return integer? data_at
function walker:next() end
---@param bytes string
---@return true? verified
---@return string? message
function walker:put(bytes) end
---@return string bytes
function walker:get() end
function walker:close() end
---@param encode boolean
---@param root? string
---@param options? hashcore.bao_options | { outboard?: boolean }
---@param start? integer
---@param length? integer
---@return hashcore.bao_walker
function bao.walker(encode, root, options, start, length) end

return hashcore
