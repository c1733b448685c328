/* helper.c - the Lua module hashcore_bench: a clock, and the loops in C that the Lua bench is compared with. */
#define _POSIX_C_SOURCE 200809L
#include "hashcore.h"
#include <string.h>
#include <time.h>

#include <lauxlib.h>
#include <lua.h>

/* now() -> nanoseconds of CPU time of this thread: other programs' turns do not count */
static int now(lua_State *L)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    lua_pushnumber(L, (lua_Number)t.tv_sec * 1e9 + (lua_Number)t.tv_nsec);
    return 1;
}

/* hash(name, input, times, key or nil) -> digest, hashed so often by one call of C */
static int hash(lua_State *L)
{
    const hc_alg *alg = hc_alg_find(luaL_checkstring(L, 1));
    hc_options o = HC_OPTIONS_INIT;
    hc_slice part;
    hc_error err;
    unsigned char out[64];
    char text[256];
    long times = (long)luaL_checknumber(L, 3);
    size_t n;
    luaL_argcheck(L, alg, 1, "no such algorithm");
    n = alg->digest_size ? alg->digest_size : 64;
    part.data = luaL_checklstring(L, 2, &part.len);
    if (lua_isstring(L, 4)) {
        o.key.data = lua_tolstring(L, 4, &o.key.len);
        o.given = HC_GIVEN_KEY;
    }
    if (!alg->digest_size) {
        o.digest_size = n;
        o.given |= HC_GIVEN_DIGEST_SIZE;
    }
    for (; times > 0; times--)
        if (hc_digest(alg, out, n, 0, o.given ? &o : NULL, &part, 1, 0, &err)) {
            hc_error_text(&err, text, sizeof text);
            return luaL_error(L, "%s", text);
        }
    lua_pushlstring(L, (const char *)out, n);
    return 1;
}

/* What Lua itself takes: bare(name, input) -> digest, the algorithm being what choose(name) set, by as few calls of the
 * Lua API as there can be; empty(name, input) -> the first 32 bytes of input, without hashing. */
static const hc_alg *chosen;

static int choose(lua_State *L)
{
    chosen = hc_alg_find(luaL_checkstring(L, 1));
    luaL_argcheck(L, chosen && chosen->digest_size, 1, "no such algorithm");
    return 0;
}

static int bare(lua_State *L)
{
    unsigned char out[64];
    hc_slice part;
    part.data = lua_tolstring(L, 2, &part.len);
    hc_digest(chosen, out, chosen->digest_size, 0, NULL, &part, 1, 0, NULL);
    lua_pushlstring(L, (const char *)out, chosen->digest_size);
    return 1;
}

static int empty(lua_State *L)
{
    size_t n;
    const char *s = lua_tolstring(L, 2, &n);
    lua_pushlstring(L, s, n < 32 ? n : 32);
    return 1;
}

/* block(n) -> a userdata of n bytes: what Lua takes for the memory of an object */
static int block(lua_State *L)
{
    lua_newuserdata(L, (size_t)luaL_checknumber(L, 1));
    return 1;
}

/* many(name, input, item_size) -> digests, by one call of C */
static int many(lua_State *L)
{
    const hc_alg *alg = hc_alg_find(luaL_checkstring(L, 1));
    hc_batch b;
    void *out;
    memset(&b, 0, sizeof b);
    luaL_argcheck(L, alg, 1, "no such algorithm");
    b.data.data = luaL_checklstring(L, 2, &b.data.len);
    b.item_size = (size_t)luaL_checknumber(L, 3);
    b.count = b.data.len / b.item_size;
    out = lua_newuserdata(L, b.count * alg->digest_size);
    if (hc_digest_many(alg, out, alg->digest_size, NULL, &b, 0, NULL)) return luaL_error(L, "digest_many");
    lua_pushlstring(L, out, b.count * alg->digest_size);
    return 1;
}

#if defined(__GNUC__) && !defined(_WIN32)
__attribute__((visibility("default")))
#endif
int luaopen_hashcore_bench(lua_State *L)
{
    static const luaL_Reg list[] = { { "now", now },     { "hash", hash },   { "choose", choose }, { "bare", bare },
                                     { "empty", empty }, { "block", block }, { "many", many },     { NULL, NULL } };
    const luaL_Reg *f;
    lua_newtable(L);
    for (f = list; f->name; f++) {
        lua_pushcfunction(L, f->func);
        lua_setfield(L, -2, f->name);
    }
    return 1;
}
