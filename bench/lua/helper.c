/* helper.c - the Lua module hashcore_bench: a clock, and the loops in C that the Lua bench is compared with. */
#define _POSIX_C_SOURCE 200809L
#include "hashcore.h"
#include <string.h>
#include <time.h>

#include <lauxlib.h>
#include <lua.h>

/* now() -> nanoseconds */
static int now(lua_State *L)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
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
    lua_newtable(L);
    lua_pushcfunction(L, now);
    lua_setfield(L, -2, "now");
    lua_pushcfunction(L, hash);
    lua_setfield(L, -2, "hash");
    lua_pushcfunction(L, many);
    lua_setfield(L, -2, "many");
    return 1;
}
