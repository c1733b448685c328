/* lhashcore.c - the Lua module hashcore.core: one file for Lua 5.1 to 5.5 and LuaJIT, glue over hashcore.h.
 *
 * Every function is a closure, see the UP_ macros. The module keeps nothing outside the Lua state.
 *
 * Memory: everything is a Lua string or userdata that the stack holds, so an error that unwinds leaks nothing.
 * Pointers into strings stay valid because the strings stay on the stack. */
#define _FILE_OFFSET_BITS 64
#define _POSIX_C_SOURCE 200809L
#include "hashcore.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#define file_number _fileno
#define file_tell _ftelli64
#define file_seek _fseeki64
#else
#define EXPORT __attribute__((visibility("default")))
#define file_number fileno
#define file_tell ftello
#define file_seek fseeko
#endif

#if LUA_VERSION_NUM >= 504
#define new_block(L, n) lua_newuserdatauv(L, n, 0)
#else
#define new_block(L, n) lua_newuserdata(L, n)
#endif
#if LUA_VERSION_NUM < 502
#define raw_length(L, i) lua_objlen(L, i)
#else
#define raw_length(L, i) lua_rawlen(L, i)
#endif

#define UP_NAME lua_upvalueindex(1)  /* for error messages; a method's begins with ':' */
#define UP_META lua_upvalueindex(2)  /* metatable of its objects; in functions of the module, of hash objects */
#define UP_PLAIN lua_upvalueindex(3) /* the same without a finalizer, for hash objects that hold no key */
#define UP_ALG lua_upvalueindex(4)   /* algorithms known by name, see find_alg; in a constructor the algorithm */
#define HASH_TYPE "hashcore.hash"
#define READER_TYPE "hashcore.reader"
#define WALKER_TYPE "hashcore.bao"
#define EXACT_MAX 9007199254740992.0 /* 2^53: whole numbers up to here are exact in a double */

/* ---- Errors ---------------------------------------------------------------- */

/* "bad argument #2 to 'digest' (...)": methods do not count their object. Never returns. */
static int fail(lua_State *L, int arg, const char *format, ...)
{
    const char *name = lua_tostring(L, UP_NAME);
    va_list args;
    if (*name == ':') name++, arg--;
    luaL_checkstack(L, 8, NULL);
    luaL_where(L, 1);
    lua_pushfstring(L, "bad argument #%d to '%s' (", arg, name);
    va_start(args, format);
    lua_pushvfstring(L, format, args);
    va_end(args);
    lua_pushliteral(L, ")");
    lua_concat(L, 4);
    return lua_error(L);
}

static int fail_core(lua_State *L, int arg, const hc_error *err)
{
    char text[256];
    hc_error_text(err, text, sizeof text);
    return fail(L, arg, "%s", text);
}

/* "key: 65 bytes given, 0 to 64 allowed" */
static int fail_length(lua_State *L, int arg, const char *what, uint64_t value, uint64_t min, uint64_t max)
{
    hc_error err = { .code = HC_E_LENGTH, .argument = what, .value = value, .min = min, .max = max };
    return fail_core(L, arg, &err);
}

static int fail_number(lua_State *L, int arg, const char *what, int i, const char *allowed)
{
    lua_pushvalue(L, i);
    return fail(L, arg, "%s: %s given, %s allowed", what, lua_tostring(L, -1), allowed);
}

static int fail_type(lua_State *L, int arg, const char *expected)
{
    return fail(L, arg, "%s expected, got %s", expected, luaL_typename(L, arg));
}

/* ---- Arguments -------------------------------------------------------------- */

static void check_bytes(lua_State *L, int arg, hc_slice *s)
{
    if (lua_type(L, arg) != LUA_TSTRING) fail_type(L, arg, "string");
    s->data = lua_tolstring(L, arg, &s->len);
}

/* Strings at first .. first + n - 1: in 'few' when they fit, else in a block left on the stack. */
static hc_slice *check_parts(lua_State *L, int first, size_t n, hc_slice *few, size_t room)
{
    hc_slice *parts = n <= room ? few : new_block(L, n * sizeof *parts);
    for (size_t i = 0; i < n; i++) check_bytes(L, first + (int)i, &parts[i]);
    return parts;
}

/* A whole number as an unsigned 64-bit one: integers wrap (-1 is 2^64 - 1), doubles must be exact. */
static int to_u64(lua_State *L, int i, uint64_t *v)
{
#if LUA_VERSION_NUM >= 503
    if (lua_isinteger(L, i)) {
        *v = (uint64_t)lua_tointeger(L, i);
        return 1;
    }
#endif
    lua_Number d = lua_tonumber(L, i);
    if (!(d >= 0 && d <= EXACT_MAX)) return 0;
    *v = (uint64_t)d;
    return (lua_Number)*v == d;
}

/* The number at i, which is argument arg or an option in it. Lengths, unlike offsets, are not negative. */
static uint64_t get_u64(lua_State *L, int i, int arg, const char *what, int offset)
{
    uint64_t v = 0;
    if (lua_type(L, i) != LUA_TNUMBER) fail(L, arg, "%s: number expected, got %s", what, luaL_typename(L, i));
    if (!offset && lua_tonumber(L, i) < 0) fail_number(L, arg, what, i, "0 or more");
    if (!to_u64(L, i, &v)) fail_number(L, arg, what, i, "whole numbers from 0 to 2^53");
    return v;
}

static uint64_t check_length(lua_State *L, int arg, const char *what) { return get_u64(L, arg, arg, what, 0); }
static uint64_t check_offset(lua_State *L, int arg, const char *what) { return get_u64(L, arg, arg, what, 1); }

static uint64_t opt_offset(lua_State *L, int arg, const char *what, uint64_t absent)
{
    return lua_isnoneornil(L, arg) ? absent : check_offset(L, arg, what);
}

/* Results. Integers of Lua wrap as they do when read; doubles say nothing (nil) above 2^53. */
static int push_u64(lua_State *L, uint64_t v)
{
#if LUA_VERSION_NUM >= 503
    return lua_pushinteger(L, (lua_Integer)v), 1;
#else
    return v <= (uint64_t)EXACT_MAX ? lua_pushnumber(L, (lua_Number)v) : lua_pushnil(L), 1;
#endif
}

static int push_bytes(lua_State *L, const void *bytes, size_t size) { return lua_pushlstring(L, bytes, size), 1; }

/* ---- Options ----------------------------------------------------------------- */

/* clang-format off */
enum { FOR_HASH = 1, FOR_MODE = 2, FOR_LENGTH = 4, FOR_SEEK = 8, FOR_THREADS = 16, FOR_BATCH = 32, FOR_FILE = 64,
       FOR_BAO = 128 };
enum { IS_BYTES, IS_LENGTH, IS_OFFSET, IS_SMALL, IS_THREADS, IS_FLAG, IS_TABLE, IS_FUNCTION };

typedef struct params {
    hc_options hash;
    uint64_t seek, item_size, as_table, outboard;
    hc_slice prefix;
    unsigned threads, group;
    int offsets, progress; /* stack indices, 0: not given */
} params;

static const struct option {
    const char *name;
    unsigned short where, type;
    uint32_t given;
    size_t at;
} option_list[] = {
    { "digest_size", FOR_HASH | FOR_LENGTH, IS_LENGTH, HC_GIVEN_DIGEST_SIZE, offsetof(params, hash.digest_size) },
    { "key", FOR_HASH | FOR_MODE, IS_BYTES, HC_GIVEN_KEY, offsetof(params, hash.key) },
    { "salt", FOR_HASH, IS_BYTES, HC_GIVEN_SALT, offsetof(params, hash.salt) },
    { "person", FOR_HASH, IS_BYTES, HC_GIVEN_PERSON, offsetof(params, hash.person) },
    { "derive_key_context", FOR_HASH | FOR_MODE, IS_BYTES, HC_GIVEN_CONTEXT, offsetof(params, hash.context) },
    { "fanout", FOR_HASH, IS_LENGTH, HC_GIVEN_TREE, offsetof(params, hash.fanout) },
    { "depth", FOR_HASH, IS_LENGTH, HC_GIVEN_TREE, offsetof(params, hash.depth) },
    { "leaf_size", FOR_HASH, IS_LENGTH, HC_GIVEN_TREE, offsetof(params, hash.leaf_size) },
    { "node_offset", FOR_HASH, IS_OFFSET, HC_GIVEN_TREE, offsetof(params, hash.node_offset) },
    { "node_depth", FOR_HASH, IS_LENGTH, HC_GIVEN_TREE, offsetof(params, hash.node_depth) },
    { "inner_size", FOR_HASH, IS_LENGTH, HC_GIVEN_TREE, offsetof(params, hash.inner_size) },
    { "last_node", FOR_HASH, IS_FLAG, HC_GIVEN_TREE, offsetof(params, hash.last_node) },
    { "seek", FOR_SEEK, IS_OFFSET, 0, offsetof(params, seek) },
    { "threads", FOR_THREADS, IS_THREADS, 0, offsetof(params, threads) },
    { "prefix", FOR_BATCH, IS_BYTES, 0, offsetof(params, prefix) },
    { "item_size", FOR_BATCH, IS_LENGTH, 0, offsetof(params, item_size) },
    { "offsets", FOR_BATCH, IS_TABLE, 0, offsetof(params, offsets) },
    { "as_table", FOR_BATCH, IS_FLAG, 0, offsetof(params, as_table) },
    { "progress", FOR_FILE, IS_FUNCTION, 0, offsetof(params, progress) },
    { "group", FOR_BAO, IS_SMALL, 0, offsetof(params, group) },
    { "outboard", FOR_BAO, IS_FLAG, 0, offsetof(params, outboard) },
};
/* clang-format on */

/* The value on top of the stack, its key below. */
static void read_option(lua_State *L, int arg, const struct option *o, params *p)
{
    static const int types[] = { LUA_TSTRING, LUA_TNUMBER,  LUA_TNUMBER, LUA_TNUMBER,
                                 LUA_TNUMBER, LUA_TBOOLEAN, LUA_TTABLE,  LUA_TFUNCTION };
    void *at = (char *)p + o->at;
    int type = lua_type(L, -1);
    p->hash.given |= o->given;
    if (o->type == IS_THREADS && type == LUA_TSTRING && !strcmp(lua_tostring(L, -1), "auto")) {
        *(unsigned *)at = HC_THREADS_AUTO;
        return;
    }
    if (type != types[o->type])
        fail(L, arg, "%s: %s expected, got %s", o->name, lua_typename(L, types[o->type]), luaL_typename(L, -1));
    if (o->type == IS_BYTES) {
        ((hc_slice *)at)->data = lua_tolstring(L, -1, &((hc_slice *)at)->len);
    } else if (o->type == IS_FLAG) {
        *(uint64_t *)at = (uint64_t)lua_toboolean(L, -1);
    } else if (o->type >= IS_TABLE) {
        *(int *)at = lua_gettop(L) - 1; /* where read_options moves it */
    } else {
        uint64_t v = get_u64(L, -1, arg, o->name, o->type == IS_OFFSET);
        if (o->type == IS_THREADS && v >= HC_THREADS_AUTO)
            fail_number(L, arg, o->name, -1, "0 to 4294967294 or 'auto'");
        if (o->type != IS_THREADS && o->type != IS_SMALL) *(uint64_t *)at = v;
        if (o->type == IS_THREADS || o->type == IS_SMALL) *(unsigned *)at = v < UINT_MAX ? (unsigned)v : UINT_MAX;
    }
}

/* The table at arg, if any. Its values stay on the stack: a finalizer may empty the table meanwhile. */
static void read_options(lua_State *L, int arg, unsigned where, params *p)
{
    const size_t n = sizeof option_list / sizeof *option_list;
    memset(p, 0, sizeof *p);
    p->hash.size = (uint32_t)sizeof p->hash;
    p->hash.fanout = p->hash.depth = 1;
    if (lua_isnoneornil(L, arg)) return;
    if (!lua_istable(L, arg)) fail_type(L, arg, "table");
    luaL_checkstack(L, (int)n + 20, NULL);
    lua_pushnil(L);
    while (lua_next(L, arg)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        size_t i = 0;
        if (!name) fail(L, arg, "option names are strings, got %s", luaL_typename(L, -2));
        while (i < n &&
               !(option_list[i].where & where && *name == *option_list[i].name && !strcmp(name, option_list[i].name)))
            i++;
        if (i == n) fail(L, arg, "unknown option '%s'", name);
        read_option(L, arg, &option_list[i], p);
        lua_insert(L, -2);
    }
}

/* ---- Results: bytes that become a Lua string --------------------------------- */

typedef struct result {
    uint8_t *bytes;
    size_t size;
#if LUA_VERSION_NUM >= 502
    luaL_Buffer buffer;
#endif
    uint8_t small[512];
} result;

static uint8_t *result_open(lua_State *L, result *r, size_t size)
{
    r->size = size;
    if (size <= sizeof r->small) return r->bytes = r->small;
#if LUA_VERSION_NUM >= 502
    return r->bytes = (uint8_t *)luaL_buffinitsize(L, &r->buffer, size);
#else
    return r->bytes = new_block(L, size);
#endif
}

/* The first 'size' of the bytes. The stack must stand as result_open left it; it gains the string. */
static int result_push(lua_State *L, result *r, size_t size)
{
#if LUA_VERSION_NUM >= 502
    if (r->size > sizeof r->small) {
        luaL_pushresultsize(&r->buffer, size);
        return 1;
    }
#endif
    return push_bytes(L, r->bytes, size);
}

static uint64_t digest_length(lua_State *L, int arg, const hc_alg *alg, const params *p)
{
    if (p->hash.given & HC_GIVEN_DIGEST_SIZE) return p->hash.digest_size;
    if (alg->digest_size == 0) fail(L, arg, "digest_size: needed");
    return alg->digest_size;
}

/* Room for a digest of n bytes, after that of its 2n hexadecimal digits. */
static uint8_t *digest_open(lua_State *L, result *r, int arg, const hc_alg *alg, uint64_t n, int hex)
{
    if (n > alg->digest_max) n = 0; /* the core refuses it */
    if (n > SIZE_MAX / 8) fail_length(L, arg, "length", n, 0, SIZE_MAX / 8);
    return result_open(L, r, (size_t)n * (hex ? 3 : 1)) + (hex ? 2 * (size_t)n : 0);
}

static int digest_push(lua_State *L, result *r, int hex)
{
    size_t n = r->size / 3;
    if (!hex) return result_push(L, r, r->size);
    hc_hex((char *)r->bytes, r->bytes + 2 * n, n);
    return result_push(L, r, 2 * n);
}

/* ---- Objects ------------------------------------------------------------------------ */

/* All begin with their algorithm, NULL before they are complete and once they are closed. */
typedef struct hash {
    const hc_alg *alg;
    uint64_t state[];
} hash;

typedef struct reader {
    const hc_alg *alg;
    hc_xof xof;
    uint64_t at;
} reader;

typedef struct walker {
    const hc_alg *alg;
    hc_bao bao;
} walker;

/* A new one on the stack, not yet alive. */
static void *push_object(lua_State *L, size_t size, const char *type)
{
    const hc_alg **p = new_block(L, size);
    *p = NULL;
    luaL_getmetatable(L, type);
    lua_setmetatable(L, -2);
    return p;
}

/* Argument 1 of a method, also when it is closed. */
static void *any_self(lua_State *L)
{
    void *p = lua_touserdata(L, 1);
    int own = p && lua_getmetatable(L, 1);
    if (!own || !(lua_rawequal(L, -1, UP_PLAIN) || lua_rawequal(L, -1, UP_META))) {
        const char *got = luaL_typename(L, 1);
        lua_getfield(L, UP_META, "__name");
        luaL_error(L, "calling '%s' on bad self (%s expected, got %s)", lua_tostring(L, UP_NAME) + 1,
                   lua_tostring(L, -1), got);
    }
    lua_pop(L, 1);
    return p;
}

static void *self(lua_State *L)
{
    const hc_alg **p = any_self(L);
    if (!*p) {
        lua_getfield(L, UP_META, "__name");
        luaL_error(L, "calling '%s' on a closed %s", lua_tostring(L, UP_NAME) + 1, lua_tostring(L, -1));
    }
    return p;
}

static int give_self(lua_State *L)
{
    lua_settop(L, 1);
    return 1;
}

/* close, __close and __gc: any number of times. */
static int l_close(lua_State *L)
{
    hc_wipe(any_self(L), raw_length(L, 1));
    return 0;
}

static int l_tostring(lua_State *L)
{
    const hc_alg **p = any_self(L);
    lua_getfield(L, UP_META, "__name");
    lua_pushfstring(L, "%s (%s): %p", lua_tostring(L, -1), *p ? (*p)->name : "closed", (void *)p);
    return 1;
}

/* ---- Hash objects --------------------------------------------------------------------- */

/* Names that were looked up before, by address: short strings are unique in a Lua state, and the metatable of this
 * block, a table with the strings as keys, keeps them alive. */
typedef struct known {
    size_t count;
    const void *name[16];
    const hc_alg *alg[16];
} known;

/* The algorithm named at stack index i, for argument arg. */
static const hc_alg *find_alg(lua_State *L, int i, int arg)
{
#if LUA_VERSION_NUM >= 504
    const void *address = lua_topointer(L, i); /* of strings too, and no other value has theirs */
#else
    const void *address = lua_type(L, i) == LUA_TSTRING ? lua_tostring(L, i) : NULL;
#endif
    known *k = lua_touserdata(L, UP_ALG);
    for (size_t n = 0; n < k->count; n++)
        if (k->name[n] == address) return k->alg[n];
    if (lua_type(L, i) != LUA_TSTRING) fail(L, arg, "string expected, got %s", luaL_typename(L, i));
    const char *name = lua_tostring(L, i);
    const hc_alg *alg = strlen(name) == raw_length(L, i) ? hc_alg_find(name) : NULL;
    if (!alg) fail(L, arg, "unknown algorithm '%s'", name);
    if (k->count < sizeof k->name / sizeof *k->name) {
        lua_getmetatable(L, UP_ALG);
        lua_pushvalue(L, i);
        lua_pushboolean(L, 1);
        lua_rawset(L, -3);
        lua_pop(L, 1);
        k->name[k->count] = address;
        k->alg[k->count++] = alg;
    }
    return alg;
}

static const hc_alg *check_alg(lua_State *L) { return find_alg(L, 1, 1); }

/* A hash object is made in two steps: only what is complete gets its metatable, and only what holds a key gets the one
 * with a finalizer, which takes as long as all the rest. */
static hash *push_hash(lua_State *L, const hc_alg *alg) { return new_block(L, sizeof(hash) + alg->state_size); }

static int finish_hash(lua_State *L, hash *h, const hc_alg *alg, int metatable)
{
    h->alg = alg;
    lua_pushvalue(L, metatable);
    lua_setmetatable(L, -2);
    return 1;
}

static int make(lua_State *L, const hc_alg *alg, int arg, const hc_options *o)
{
    hc_error err;
    hash *h = push_hash(L, alg);
    if (alg->init(h->state, o->given ? o : NULL, &err)) return fail_core(L, arg, &err);
    return finish_hash(L, h, alg, o->given & (HC_GIVEN_KEY | HC_GIVEN_CONTEXT) ? UP_META : UP_PLAIN);
}

static int l_new(lua_State *L)
{
    const hc_alg *alg = check_alg(L);
    params p;
    read_options(L, 2, FOR_HASH, &p);
    return make(L, alg, 2, &p.hash);
}

static int l_constructor(lua_State *L)
{
    params p;
    read_options(L, 1, FOR_HASH, &p);
    return make(L, lua_touserdata(L, UP_ALG), 1, &p.hash);
}

static int l_hmac(lua_State *L)
{
    const hc_alg *alg = check_alg(L);
    hc_options o = HC_OPTIONS_INIT;
    check_bytes(L, 2, &o.key);
    o.given = HC_GIVEN_KEY;
    alg = hc_alg_find(lua_pushfstring(L, "hmac-%s", alg->name));
    return alg ? make(L, alg, 2, &o) : fail(L, 1, "HMAC is for sha224 and sha256, got '%s'", lua_tostring(L, 1));
}

static int l_update(lua_State *L)
{
    hash *h = self(L);
    hc_slice few[8];
    params p;
    int top = lua_gettop(L), n = top - 1;
    p.threads = 0;
    if (n && lua_istable(L, top)) {
        read_options(L, top, FOR_THREADS, &p);
        n--;
    }
    hc_slice *parts = check_parts(L, 2, (size_t)n, few, sizeof few / sizeof *few);
    for (int i = 0; i < n; i++) h->alg->update_threads(h->state, parts[i].data, parts[i].len, p.threads);
    return give_self(L);
}

static int object_digest(lua_State *L, int hex)
{
    hash *h = self(L);
    hc_error err;
    result r;
    uint64_t n = lua_isnoneornil(L, 2) ? h->alg->size(h->state) : check_length(L, 2, "length");
    uint64_t offset = opt_offset(L, 3, "seek", 0);
    if (n == HC_UNKNOWN) return fail(L, 2, "length: needed, the object was made without digest_size");
    uint8_t *out = digest_open(L, &r, 2, h->alg, n, hex);
    if (h->alg->final(h->state, out, (size_t)n, offset, &err))
        return fail_core(L, strcmp(err.argument, "seek") ? 2 : 3, &err);
    return digest_push(L, &r, hex);
}

static int l_object_digest(lua_State *L) { return object_digest(L, 0); }
static int l_object_hexdigest(lua_State *L) { return object_digest(L, 1); }

static int l_copy(lua_State *L)
{
    hash *h = self(L), *to = push_hash(L, h->alg);
    h->alg->copy(to->state, h->state);
    to->alg = h->alg;
    lua_getmetatable(L, 1);
    lua_setmetatable(L, -2);
    return 1;
}

static int l_reset(lua_State *L)
{
    hash *h = self(L);
    h->alg->reset(h->state);
    return give_self(L);
}

static int l_name(lua_State *L) { return lua_pushstring(L, ((hash *)self(L))->alg->name), 1; }
static int l_block_size(lua_State *L) { return push_u64(L, ((hash *)self(L))->alg->block_size); }

static int l_digest_size(lua_State *L)
{
    hash *h = self(L);
    uint64_t n = h->alg->size(h->state);
    return n == HC_UNKNOWN ? lua_pushnil(L), 1 : push_u64(L, n);
}

static int l_export(lua_State *L)
{
    hash *h = self(L);
    hc_error err;
    uint8_t image[HC_IMAGE_MAX];
    size_t n = sizeof image;
    const char *format = lua_isnoneornil(L, 2) ? "native" : lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    if (strcmp(format, "native") && strcmp(format, "go")) return fail(L, 2, "format: 'native' or 'go' allowed");
    if (hc_export(h->alg, h->state, image, &n, *format == 'g' ? HC_IMAGE_GO : HC_IMAGE_NATIVE, &err))
        return fail_core(L, 2, &err);
    return push_bytes(L, image, n);
}

static int l_import(lua_State *L)
{
    const hc_alg *alg = check_alg(L);
    hc_error err;
    hc_slice image;
    check_bytes(L, 2, &image);
    hash *h = push_hash(L, alg);
    if (hc_import(alg, h->state, image.data, image.len, &err)) return fail_core(L, 2, &err);
    return finish_hash(L, h, alg, UP_META); /* it may hold a key */
}

/* ---- Readers of long output --------------------------------------------------------- */

static int l_reader(lua_State *L)
{
    hash *h = self(L);
    hc_error err;
    reader *r = push_object(L, sizeof *r, READER_TYPE);
    if (hc_xof_open(&r->xof, h->alg, h->state, &err)) return fail_core(L, 1, &err);
    r->at = 0;
    r->alg = h->alg;
    return 1;
}

static int l_reader_copy(lua_State *L)
{
    reader *r = self(L), *to = push_object(L, sizeof *to, READER_TYPE);
    *to = *r;
    return 1;
}

static int l_read(lua_State *L)
{
    reader *r = self(L);
    hc_error err;
    result out;
    params p;
    uint64_t n = check_length(L, 2, "length"), left = hc_xof_size(&r->xof) - r->at;
    read_options(L, 3, FOR_THREADS, &p);
    digest_open(L, &out, 2, r->alg, n < left ? n : left, 0);
    if (hc_xof_read(&r->xof, out.bytes, out.size, r->at, p.threads, &err)) return fail_core(L, 2, &err);
    r->at += out.size;
    return result_push(L, &out, out.size);
}

static int l_tell(lua_State *L) { return push_u64(L, ((reader *)self(L))->at); }

/* seek(), seek(offset), seek("set" | "cur" | "end" [, offset]): as file:seek, but stays inside the output. */
static int l_seek(lua_State *L)
{
    reader *r = self(L);
    uint64_t size = hc_xof_size(&r->xof), base = r->at;
    int arg = lua_type(L, 2) == LUA_TNUMBER ? 2 : 3, back = 0;
    if (arg == 2) {
        base = 0;
    } else if (!lua_isnoneornil(L, 2)) {
        const char *whence = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
        if (strcmp(whence, "set") && strcmp(whence, "cur") && strcmp(whence, "end"))
            return fail(L, 2, "whence: 'set', 'cur', 'end' or a number allowed");
        base = *whence == 'e' ? size : *whence == 'c' ? r->at : 0;
        back = *whence != 's' && lua_type(L, 3) == LUA_TNUMBER && lua_tonumber(L, 3) < 0;
    }
    if (back) { /* -2^63 too: as unsigned it is its own negative */
#if LUA_VERSION_NUM >= 503
        if (lua_isinteger(L, 3))
            lua_pushinteger(L, (lua_Integer)(0 - (uint64_t)lua_tointeger(L, 3)));
        else
#endif
            lua_pushnumber(L, -lua_tonumber(L, 3));
        lua_replace(L, 3);
    }
    uint64_t to = opt_offset(L, arg, "offset", 0);
    if (to > (back ? base : size - base))
        return fail(L, arg, "offset: the position must stay between 0 and the end of the output");
    to = back ? base - to : base + to;
    push_u64(L, to);
    if (lua_isnil(L, -1)) return fail(L, arg, "offset: positions above 2^53 are not exact in this Lua");
    r->at = to;
    return 1;
}

/* ---- One-shots ------------------------------------------------------------------------- */

static int one_shot(lua_State *L, int hex)
{
    const hc_alg *alg = check_alg(L);
    hc_slice few[8];
    hc_error err;
    params p;
    result r;
    int top = lua_gettop(L), count = top - 1;
    size_t size = alg->digest_size;
    if (count == 1 && lua_type(L, 2) == LUA_TSTRING && size && size <= 64) { /* what is called a million times */
        few->data = lua_tolstring(L, 2, &few->len);
        r.bytes = r.small;
        r.size = hex ? 3 * size : size;
        if (!hc_digest(alg, r.small + r.size - size, size, 0, NULL, few, 1, 0, NULL)) return digest_push(L, &r, hex);
    }
    p.hash.given = p.threads = 0;
    p.seek = 0;
    if (count && lua_istable(L, top)) {
        read_options(L, top, FOR_HASH | FOR_SEEK | FOR_THREADS, &p);
        count--;
    }
    hc_slice *parts = check_parts(L, 2, (size_t)count, few, sizeof few / sizeof *few);
    uint64_t n = digest_length(L, count + 2, alg, &p);
    uint8_t *out = digest_open(L, &r, count + 2, alg, n, hex);
    if (hc_digest(alg, out, (size_t)n, p.seek, p.hash.given ? &p.hash : NULL, parts, (size_t)count, p.threads, &err))
        return fail_core(L, count + 2, &err);
    return digest_push(L, &r, hex);
}

static int l_digest(lua_State *L) { return one_shot(L, 0); }
static int l_hexdigest(lua_State *L) { return one_shot(L, 1); }

/* ---- Many messages ------------------------------------------------------------------------ */

/* Nothing may allocate between this and the hashing: a finalizer could let go of the table's strings. */
static void read_items(lua_State *L, int arg, hc_slice *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, arg, (int)i + 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            fail(L, arg, "item %d: string expected, got %s", (int)i + 1, luaL_typename(L, -1));
        items[i].data = lua_tolstring(L, -1, &items[i].len);
        lua_pop(L, 1);
    }
}

/* The numbers of the table at index 'offsets', one more than there are messages. */
static void read_offsets(lua_State *L, int arg, int offsets, hc_batch *b)
{
    size_t n = raw_length(L, offsets);
    if (n < 1 || n > INT_MAX) fail(L, arg, "offsets: %d given, one more than there are messages needed", (int)n);
    uint64_t *list = new_block(L, n * sizeof *list);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, offsets, (int)i + 1);
        list[i] = get_u64(L, -1, arg, "offsets", 0);
        lua_pop(L, 1);
    }
    b->offsets = list;
    b->offset_bits = 64;
    b->count = n - 1;
}

static int push_table(lua_State *L, const uint8_t *bytes, size_t count, size_t size)
{
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        push_bytes(L, bytes + i * size, size);
        lua_rawseti(L, -2, (int)i + 1);
    }
    return 1;
}

static int l_digest_many(lua_State *L)
{
    const hc_alg *alg = check_alg(L);
    const int arg = 3;
    hc_batch b;
    hc_slice *items = NULL;
    hc_error err;
    params p;
    result r;
    lua_settop(L, 3);
    read_options(L, arg, FOR_HASH | FOR_THREADS | FOR_BATCH, &p);
    uint64_t n = digest_length(L, arg, alg, &p);
    memset(&b, 0, sizeof b);
    b.prefix = p.prefix;
    if (lua_istable(L, 2)) {
        if (p.item_size || p.offsets)
            return fail(L, arg, "%s: for messages in one string only", p.offsets ? "offsets" : "item_size");
        b.count = raw_length(L, 2);
        b.items = items = new_block(L, b.count * sizeof *items + 1);
    } else {
        check_bytes(L, 2, &b.data);
        if (!p.item_size == !p.offsets)
            return fail(L, arg, "item_size or offsets: one of them is needed for messages in one string");
        if (p.offsets) {
            read_offsets(L, arg, p.offsets, &b);
        } else {
            size_t rest = (size_t)(b.data.len % p.item_size), whole = b.data.len - rest;
            if (rest) return fail_length(L, 2, "data", b.data.len, whole, whole);
            b.count = (size_t)(whole / p.item_size);
            b.item_size = b.count ? (size_t)p.item_size : 1;
        }
    }
    if (b.count > INT_MAX || n > SIZE_MAX / 8 / (b.count ? b.count : 1))
        return fail(L, 2, "the digests do not fit into memory");
    size_t size = b.count * (size_t)n; /* a table is made above its bytes, which a buffer does not allow */
    uint8_t *out = p.as_table ? new_block(L, size + 1) : result_open(L, &r, size);
    if (items) read_items(L, 2, items, b.count);
    if (hc_digest_many(alg, out, (size_t)n, p.hash.given ? &p.hash : NULL, &b, p.threads, &err))
        return fail_core(L, strcmp(err.argument, "data") && strcmp(err.argument, "items") ? arg : 2, &err);
    return p.as_table ? push_table(L, out, b.count, (size_t)n) : result_push(L, &r, r.size);
}

/* ---- Files -------------------------------------------------------------------------------- */

enum { NAMES_MAX = 16 };

typedef struct watch {
    lua_State *L;
    int function, failed; /* stack index; whether an error message lies on top */
} watch;

/* Called inside the core, which must not be left by an error: it waits on the stack instead. */
static int on_progress(void *user, uint64_t done, uint64_t total)
{
    watch *w = user;
    lua_pushvalue(w->L, w->function);
    push_u64(w->L, done);
    total == UINT64_MAX ? lua_pushnil(w->L) : (void)push_u64(w->L, total);
    return w->failed = lua_pcall(w->L, 2, 0, 0) != 0;
}

/* An open file of the io library, or NULL. Its structure begins with the FILE pointer in every version. */
static FILE *to_file(lua_State *L, int arg)
{
    void *p = lua_touserdata(L, arg);
    if (!p || !lua_getmetatable(L, arg)) return NULL;
    luaL_getmetatable(L, LUA_FILEHANDLE);
    int own = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    if (!own) return NULL;
    int closed = !*(FILE **)p;
#if LUA_VERSION_NUM >= 502
    closed = closed || !((luaL_Stream *)p)->closef;
#endif
    if (closed) fail(L, arg, "the file is closed");
    return *(FILE **)p;
}

/* From the stream's position, which then stands after the last byte read: a seek writes out and forgets what the
 * stream has buffered. Streams without positions are read by init.lua. */
static int run_file(lua_State *L, const hc_alg *const *algs, void *const *states, size_t n, hc_file *file,
                    hc_error *err)
{
    FILE *f = to_file(L, 1);
    uint64_t done = 0;
    int64_t at = 0;
    int code = HC_OK;
    if (f) {
        at = file_tell(f);
        if (at < 0 || file_seek(f, at, SEEK_SET) != 0) code = HC_E_IO;
        file->fd = file_number(f);
        file->offset = (uint64_t)at;
    }
    if (code == HC_OK) {
        code = hc_update_file(algs, states, n, file, &done, err);
        if (code != HC_OK || !f || file_seek(f, at + (int64_t)done, SEEK_SET) == 0) return code;
    }
    err->os_error = errno;
    return HC_E_IO;
}

/* Hash objects of the algorithms named at 2 (a string, or a table of them): one, or a table. */
static size_t push_hashes(lua_State *L, const params *p, const hc_alg **algs, void **states)
{
    int many = lua_istable(L, 2), n = many ? (int)raw_length(L, 2) : 1;
    if (n < 1 || n > NAMES_MAX) fail(L, 2, "names: %d given, 1 to %d allowed", n, NAMES_MAX);
    if (many) lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        if (many) {
            lua_rawgeti(L, 2, i + 1);
            lua_replace(L, 4);
        }
        algs[i] = find_alg(L, many ? 4 : 2, 2);
        make(L, algs[i], 3, &p->hash);
        states[i] = ((hash *)lua_touserdata(L, -1))->state;
        if (many) lua_rawseti(L, -2, i + 1);
    }
    return (size_t)n;
}

static int l_file_digest(lua_State *L)
{
    const hc_alg *algs[NAMES_MAX];
    void *states[NAMES_MAX];
    hc_file file = HC_FILE_INIT;
    hc_error err;
    hc_slice path = { NULL, 0 };
    params p;
    memset(&err, 0, sizeof err);
    lua_settop(L, 4); /* 4: a place for push_hashes */
    if (lua_type(L, 1) == LUA_TNUMBER) {
        uint64_t fd = check_length(L, 1, "descriptor");
        file.fd = fd > INT_MAX ? INT_MAX : (int)fd;
        file.offset = HC_UNTIL_END;
    } else if (lua_type(L, 1) == LUA_TSTRING) {
        check_bytes(L, 1, &path);
        if (strlen(path.data) != path.len) return fail(L, 1, "path: a zero byte inside");
        file.path = path.data;
    } else if (!to_file(L, 1)) {
        return fail_type(L, 1, "path, file, descriptor or object with read(n)");
    }
    read_options(L, 3, FOR_HASH | FOR_THREADS | FOR_FILE, &p);
    size_t n = push_hashes(L, &p, algs, states);
    watch w = { L, p.progress, 0 };
    file.threads = p.threads;
    file.progress = p.progress ? on_progress : NULL;
    file.user = &w;
    luaL_checkstack(L, 20, NULL);
    int code = run_file(L, algs, states, n, &file, &err);
    if (w.failed) return lua_error(L);
    if (code == HC_E_IO) {
        lua_pushnil(L);
        lua_pushfstring(L, "%s%s%s", file.path ? file.path : "", file.path ? ": " : "", strerror(err.os_error));
        lua_pushinteger(L, err.os_error);
        return 3;
    }
    if (code == HC_E_MEMORY) return luaL_error(L, "not enough memory");
    return code == HC_OK ? 1 : fail_core(L, 1, &err);
}

/* ---- XOR and bytes --------------------------------------------------------------------------- */

static int l_xor(lua_State *L)
{
    hc_slice few[8];
    hc_error err;
    result r;
    int n = lua_gettop(L);
    if (n == 0) return fail_type(L, 1, "string");
    hc_slice *sources = check_parts(L, 1, (size_t)n, few, sizeof few / sizeof *few);
    for (int i = 1; i < n; i++)
        if (sources[i].len != sources[0].len)
            return fail_length(L, i + 1, "length", sources[i].len, sources[0].len, sources[0].len);
    size_t done = sources[0].len;
    result_open(L, &r, done);
    if (hc_xor_many(&done, r.bytes, r.size, sources, (size_t)n, &err)) return fail_core(L, 1, &err);
    return result_push(L, &r, r.size);
}

static int l_xor_mask(lua_State *L)
{
    hc_slice data, key;
    hc_error err;
    result r;
    uint64_t offset = opt_offset(L, 3, "offset", 0);
    check_bytes(L, 1, &data);
    check_bytes(L, 2, &key);
    result_open(L, &r, data.len);
    if (hc_xor_mask(r.bytes, key.data, key.len, offset, data.data, data.len, &err)) return fail_core(L, 2, &err);
    return result_push(L, &r, r.size);
}

static int l_equal(lua_State *L)
{
    hc_slice a, b;
    check_bytes(L, 1, &a);
    check_bytes(L, 2, &b);
    lua_pushboolean(L, a.len == b.len && hc_equal(a.data, b.data, a.len));
    return 1;
}

static int l_tohex(lua_State *L)
{
    hc_slice s;
    result r;
    check_bytes(L, 1, &s);
    if (s.len > SIZE_MAX / 8) return fail_length(L, 1, "data", s.len, 0, SIZE_MAX / 8);
    hc_hex((char *)result_open(L, &r, 2 * s.len), s.data, s.len);
    return result_push(L, &r, r.size);
}

static int l_fromhex(lua_State *L)
{
    hc_slice s;
    hc_error err;
    result r;
    check_bytes(L, 1, &s);
    if (hc_unhex(result_open(L, &r, s.len / 2), s.data, s.len, &err)) return fail_core(L, 1, &err);
    return result_push(L, &r, r.size);
}

/* ---- BLAKE3 trees ------------------------------------------------------------------------------ */

static hc_blake3_mode *check_mode(lua_State *L, int arg, const params *p, hc_blake3_mode *m)
{
    hc_error err;
    if (hc_blake3_mode_init(m, &p->hash, &err)) fail_core(L, arg, &err);
    return m;
}

static const void *check_value(lua_State *L, int arg, const char *what)
{
    hc_slice s;
    check_bytes(L, arg, &s);
    if (s.len != 32) fail_length(L, arg, what, s.len, 32, 32);
    return s.data;
}

static int l_subtree(lua_State *L)
{
    hc_blake3_mode m;
    hc_error err;
    hc_slice data;
    params p;
    uint8_t cv[32];
    check_bytes(L, 1, &data);
    uint64_t chunk = check_offset(L, 2, "first_chunk");
    read_options(L, 3, FOR_MODE | FOR_THREADS, &p);
    int code = hc_blake3_subtree(cv, check_mode(L, 3, &p, &m), data.data, data.len, chunk, p.threads, &err);
    hc_wipe(&m, sizeof m);
    return code ? fail_core(L, 1, &err) : push_bytes(L, cv, sizeof cv);
}

static int l_parent(lua_State *L)
{
    hc_blake3_mode m;
    params p;
    uint8_t cv[32];
    const void *left = check_value(L, 1, "left"), *right = check_value(L, 2, "right");
    read_options(L, 3, FOR_MODE, &p);
    hc_blake3_parent(cv, check_mode(L, 3, &p, &m), left, right);
    hc_wipe(&m, sizeof m);
    return push_bytes(L, cv, sizeof cv);
}

static int l_root(lua_State *L)
{
    const hc_alg *alg = hc_alg_find("blake3");
    hc_blake3_mode m;
    hc_error err;
    hc_slice cvs;
    params p;
    result r;
    check_bytes(L, 1, &cvs);
    if (cvs.len % 32) return fail(L, 1, "values: chaining values of 32 bytes needed");
    read_options(L, 2, FOR_MODE | FOR_LENGTH | FOR_SEEK, &p);
    digest_open(L, &r, 2, alg, digest_length(L, 2, alg, &p), 0);
    p.hash.given &= ~(uint32_t)HC_GIVEN_DIGEST_SIZE;
    int code = hc_blake3_root(r.bytes, r.size, p.seek, check_mode(L, 2, &p, &m), cvs.data, cvs.len / 32, &err);
    hc_wipe(&m, sizeof m);
    return code ? fail_core(L, 1, &err) : result_push(L, &r, r.size);
}

static int l_left_len(lua_State *L) { return push_u64(L, hc_blake3_left_len(check_offset(L, 1, "length"))); }
static int l_subtree_max(lua_State *L) { return push_u64(L, hc_blake3_subtree_max(check_offset(L, 1, "first_chunk"))); }

/* ---- Bao: the walker; what reads and writes along it is in init.lua ------------------------------ */

/* walker(encode, root, options, start, length): a decoder of data[start .. start + length], which verifies
 * when there is a root; or an encoder of length bytes. */
static int l_walker(lua_State *L)
{
    hc_blake3_mode m;
    hc_error err;
    params p;
    int code;
    uint64_t start = opt_offset(L, 4, "start", 0), length = opt_offset(L, 5, "length", HC_UNTIL_END);
    lua_settop(L, 5);
    walker *w = push_object(L, sizeof *w, WALKER_TYPE);
    const void *root = lua_isnil(L, 2) ? NULL : check_value(L, 2, "root");
    read_options(L, 3, FOR_MODE | FOR_BAO, &p);
    check_mode(L, 3, &p, &m);
    code = lua_toboolean(L, 1) ? hc_bao_encode(&w->bao, &m, p.group, p.outboard != 0, length, &err)
                               : hc_bao_decode(&w->bao, root, &m, p.group, p.outboard != 0, start, length, &err);
    hc_wipe(&m, sizeof m);
    if (code) return fail_core(L, strcmp(err.argument, "group") ? 5 : 3, &err);
    w->alg = hc_alg_find("blake3");
    lua_settop(L, 6);
    return 1;
}

static int l_size(lua_State *L)
{
    hc_error err;
    params p;
    uint64_t size;
    read_options(L, 2, FOR_BAO, &p);
    if (hc_bao_size(&size, check_offset(L, 1, "length"), p.group, p.outboard != 0, &err))
        return fail_core(L, strcmp(err.argument, "group") ? 1 : 2, &err);
    return push_u64(L, size);
}

/* next() -> "header" | "parent" | "leaf" | "end", size, encoded_at, data_at */
static int l_next(lua_State *L)
{
    static const char *const kinds[] = { "end", "header", "parent", "leaf" };
    hc_bao_step step;
    hc_bao_next(&((walker *)self(L))->bao, &step);
    lua_pushstring(L, kinds[step.kind]);
    push_u64(L, step.size);
    push_u64(L, step.encoded_at);
    push_u64(L, step.data_at);
    return 4;
}

/* put(bytes) -> true, or nil and a message when they do not match their hash */
static int l_put(lua_State *L)
{
    walker *w = self(L);
    hc_error err;
    hc_slice s;
    check_bytes(L, 2, &s);
    int code = hc_bao_put(&w->bao, s.data, s.len, &err);
    if (code == HC_E_VERIFY) {
        char text[256];
        hc_error_text(&err, text, sizeof text);
        lua_pushnil(L);
        lua_pushstring(L, text);
        return 2;
    }
    lua_pushboolean(L, 1);
    return code ? fail_core(L, 2, &err) : 1;
}

/* get() -> the bytes of a header or parent, at the end the root */
static int l_get(lua_State *L)
{
    walker *w = self(L);
    hc_error err;
    hc_bao_step step;
    uint8_t bytes[64];
    hc_bao_next(&w->bao, &step);
    if (step.kind == HC_BAO_END) step.size = 32;
    if (step.kind == HC_BAO_LEAF || step.size > sizeof bytes) return fail(L, 2, "a leaf is next: put it");
    if (hc_bao_get(&w->bao, bytes, step.size, &err)) return fail_core(L, 2, &err);
    return push_bytes(L, bytes, step.size);
}

/* ---- The module --------------------------------------------------------------------------------- */

static int l_cpu(lua_State *L)
{
    char detected[128], enabled[128];
    const char *kernel, *slot;
    hc_cpu_text(hc_cpu_detected(), detected, sizeof detected);
    hc_cpu_text(hc_cpu_enabled(), enabled, sizeof enabled);
    lua_createtable(L, 0, 3);
    lua_pushstring(L, detected);
    lua_setfield(L, -2, "detected");
    lua_pushstring(L, enabled);
    lua_setfield(L, -2, "enabled");
    lua_newtable(L);
    for (size_t i = 0; (kernel = hc_cpu_kernel(i, &slot)) != NULL; i++) {
        lua_pushstring(L, kernel);
        lua_setfield(L, -2, slot);
    }
    lua_setfield(L, -2, "kernels");
    return 1;
}

static int l_algorithms(lua_State *L)
{
    const hc_alg *alg;
    lua_newtable(L);
    for (int i = 0; (alg = hc_alg_at((size_t)i)) != NULL; i++) {
        lua_pushstring(L, alg->name);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* clang-format off */
static const luaL_Reg functions[] = {
    { "new", l_new }, { "hmac", l_hmac }, { "import", l_import }, { "digest", l_digest },
    { "hexdigest", l_hexdigest }, { "digest_many", l_digest_many }, { "file_digest", l_file_digest },
    { "xor", l_xor }, { "xor_mask", l_xor_mask }, { "equal", l_equal }, { "tohex", l_tohex },
    { "fromhex", l_fromhex }, { "subtree", l_subtree }, { "parent", l_parent }, { "root", l_root },
    { "left_len", l_left_len }, { "subtree_max", l_subtree_max }, { "walker", l_walker },
    { "size", l_size }, { "cpu", l_cpu }, { "algorithms", l_algorithms }, { NULL, NULL }
};
static const luaL_Reg hash_methods[] = {
    { ":update", l_update }, { ":digest", l_object_digest }, { ":hexdigest", l_object_hexdigest },
    { ":copy", l_copy }, { ":reset", l_reset }, { ":reader", l_reader }, { ":export", l_export },
    { ":name", l_name }, { ":digest_size", l_digest_size }, { ":block_size", l_block_size }, { NULL, NULL }
};
static const luaL_Reg reader_methods[] = {
    { ":read", l_read }, { ":seek", l_seek }, { ":tell", l_tell }, { ":copy", l_reader_copy }, { NULL, NULL }
};
static const luaL_Reg walker_methods[] = {
    { ":next", l_next }, { ":put", l_put }, { ":get", l_get }, { NULL, NULL }
};
static const luaL_Reg common_methods[] = {
    { ":close", l_close }, { ":__close", l_close }, { ":__tostring", l_tostring }, { NULL, NULL }
};
static const luaL_Reg finalizer[] = { { ":__gc", l_close }, { NULL, NULL } };
/* clang-format on */

/* Functions into the table on top. Stack indices of the upvalues: algs, meta, plain. */
static void add_functions(lua_State *L, const luaL_Reg *list, int algs, int meta, int plain)
{
    for (; list->name; list++) {
        lua_pushstring(L, list->name);
        lua_pushvalue(L, meta);
        lua_pushvalue(L, plain);
        lua_pushvalue(L, algs);
        lua_pushcclosure(L, list->func, 4);
        lua_setfield(L, -2, list->name + (*list->name == ':'));
    }
}

/* Leaves two metatables on the stack: with finalizer, without one. The second finds what it lacks in the first, so
 * that getmetatable(h).__gc is there for everybody but the collector. Both have the same methods. */
static void add_type(lua_State *L, const char *name, const luaL_Reg *methods, int algs)
{
    int meta = lua_gettop(L) + 1, plain = meta + 1;
    lua_newtable(L);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushvalue(L, meta);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, plain);
    for (int i = meta; i <= plain; i++) {
        lua_pushvalue(L, i);
        lua_pushstring(L, name);
        lua_setfield(L, i, "__name");
        lua_pushvalue(L, meta);
        lua_setfield(L, i, "__index");
        add_functions(L, common_methods, algs, meta, plain);
        if (i == meta) add_functions(L, methods, algs, meta, plain);
        if (i == meta) add_functions(L, finalizer, algs, meta, plain);
        lua_pop(L, 1);
    }
    lua_pushvalue(L, meta);
    lua_setfield(L, LUA_REGISTRYINDEX, name);
}

EXPORT int luaopen_hashcore_core(lua_State *L)
{
    const hc_alg *alg;
    hc_error err;
    if (hc_cpu_environment(&err)) {
        char text[256];
        hc_error_text(&err, text, sizeof text);
        return luaL_error(L, "HASHCORE_CPU: %s", text);
    }
    lua_settop(L, 0);
    ((known *)new_block(L, sizeof(known)))->count = 0;
    lua_newtable(L);
    lua_setmetatable(L, 1);
    add_type(L, READER_TYPE, reader_methods, 1);
    add_type(L, WALKER_TYPE, walker_methods, 1);
    add_type(L, HASH_TYPE, hash_methods, 1); /* at 6 and 7 */
    lua_newtable(L);
    add_functions(L, functions, 1, 6, 7);
    for (size_t i = 0; (alg = hc_alg_at(i)) != NULL; i++) {
        if (strchr(alg->name, '-')) continue; /* hmac() and new() make these */
        lua_pushstring(L, alg->name);
        lua_pushvalue(L, 6);
        lua_pushvalue(L, 7);
        lua_pushlightuserdata(L, (void *)(uintptr_t)alg);
        lua_pushcclosure(L, l_constructor, 4);
        lua_setfield(L, -2, alg->name);
    }
    lua_pushliteral(L, HC_VERSION_STRING);
    lua_setfield(L, -2, "version");
    return 1;
}
