/* host.c - runs a Lua script in a state whose allocator counts, and fails when it is told to.
 *
 * host SCRIPT [ARGUMENT...] (SCRIPT -: standard input); the script finds a table 'host':
 *   host.fail_after(n)  the n-th allocation from now on fails, and all after it; nil: none does
 *   host.stress(b)      every allocation of an object fails once: Lua (5.2 and later) collects all garbage and tries
 *                       again (luaL_Buffer, whose blocks are no objects, would not)
 *   host.bytes()        bytes held now
 *   host.allocations()  allocations made since fail_after
 *   host.watch(s)       from now on counts freed blocks that hold the bytes s (a secret); gives the count so far
 *   host.close_later(s) runs the chunk s in a state of its own, in a coroutine that yields, and closes that state:
 *                       gives what it held before and after
 * After the script the state is closed; exit status 1 when it failed or anything is still held. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

typedef struct counter {
    long long bytes;
    lua_Alloc inner; /* LuaJIT without GC64 takes no allocator at birth: this is its own, counted from then on */
    void *inner_user;
    long count, fail_at; /* fail_at < 0: never */
    int stress, refused;
    char secret[64];
    size_t secret_size, secrets_freed;
} counter;

static int holds(const char *block, size_t size, const counter *c)
{
    size_t i;
    for (i = 0; i + c->secret_size <= size; i++)
        if (block[i] == c->secret[0] && memcmp(block + i, c->secret, c->secret_size) == 0) return 1;
    return 0;
}

static void *counted(void *user, void *block, size_t old, size_t size)
{
    counter *c = user;
    void *p;
    int object = !block && old; /* there 'old' tells the kind of object */
    if (!block) old = 0;
    if (size == 0) {
        if (c->secret_size && block && holds(block, old, c)) c->secrets_freed++;
        if (c->inner)
            c->inner(c->inner_user, block, old, 0);
        else
            free(block);
        c->bytes -= (long long)old;
        return NULL;
    }
    if (size > old && ++c->count > c->fail_at && c->fail_at >= 0) return NULL;
    if (object && c->stress && (c->refused = !c->refused) != 0) return NULL;
    p = c->inner ? c->inner(c->inner_user, block, old, size) : realloc(block, size);
    if (p) c->bytes += (long long)size - (long long)old;
    return p;
}

static counter *counter_of(lua_State *L)
{
    void *user = NULL;
    lua_getallocf(L, &user);
    return user;
}

static int fail_after(lua_State *L)
{
    counter *c = counter_of(L);
    c->count = 0;
    c->fail_at = lua_isnoneornil(L, 1) ? -1 : (long)lua_tonumber(L, 1);
    return 0;
}

static int stress(lua_State *L)
{
    counter *c = counter_of(L);
    c->stress = lua_toboolean(L, 1);
    c->refused = 0;
    return 0;
}

static int bytes(lua_State *L)
{
    lua_pushnumber(L, (lua_Number)counter_of(L)->bytes);
    return 1;
}

static int allocations(lua_State *L)
{
    lua_pushnumber(L, (lua_Number)counter_of(L)->count);
    return 1;
}

static int watch(lua_State *L)
{
    counter *c = counter_of(L);
    size_t n;
    const char *secret = luaL_checklstring(L, 1, &n);
    luaL_argcheck(L, n > 0 && n <= sizeof c->secret, 1, "1 to 64 bytes");
    lua_pushnumber(L, (lua_Number)c->secrets_freed);
    memcpy(c->secret, secret, n);
    c->secret_size = n;
    return 1;
}

static lua_State *new_state(counter *c)
{
    lua_State *L;
    memset(c, 0, sizeof *c);
    c->fail_at = -1;
#if LUA_VERSION_NUM >= 505
    L = lua_newstate(counted, c, 1);
#else
    L = lua_newstate(counted, c);
#endif
    if (!L && (L = luaL_newstate()) != NULL) {
        c->inner = lua_getallocf(L, &c->inner_user);
        c->bytes = (long long)lua_gc(L, LUA_GCCOUNT, 0) * 1024 + lua_gc(L, LUA_GCCOUNTB, 0);
        lua_setallocf(L, counted, c);
    }
    return L;
}

static int close_later(lua_State *L)
{
    size_t n;
    const char *chunk = luaL_checklstring(L, 1, &n);
    counter c;
    lua_State *other = new_state(&c), *coroutine;
    long long held;
    if (!other) return luaL_error(L, "no state");
    luaL_openlibs(other);
    coroutine = lua_newthread(other);
    if (luaL_loadbuffer(coroutine, chunk, n, "=close_later") != 0)
        return luaL_error(L, "%s", lua_tostring(coroutine, -1));
    {
#if LUA_VERSION_NUM >= 504
        int results, status = lua_resume(coroutine, NULL, 0, &results);
#elif LUA_VERSION_NUM >= 502
        int status = lua_resume(coroutine, NULL, 0);
#else
        int status = lua_resume(coroutine, 0);
#endif
        if (status != LUA_YIELD) {
            lua_pushfstring(L, "the chunk did not yield: %s", lua_tostring(coroutine, -1));
            lua_close(other);
            return lua_error(L);
        }
    }
    held = c.bytes;
    lua_close(other);
    lua_pushnumber(L, (lua_Number)held);
    lua_pushnumber(L, (lua_Number)c.bytes);
    return 2;
}

static int run(lua_State *L)
{
    char **argv = lua_touserdata(L, 1);
    int i;
    static const luaL_Reg list[] = { { "fail_after", fail_after },
                                     { "stress", stress },
                                     { "bytes", bytes },
                                     { "allocations", allocations },
                                     { "watch", watch },
                                     { "close_later", close_later },
                                     { NULL, NULL } };
    luaL_openlibs(L);
    lua_newtable(L);
    for (i = 0; list[i].name; i++) {
        lua_pushcfunction(L, list[i].func);
        lua_setfield(L, -2, list[i].name);
    }
    lua_setglobal(L, "host");
    lua_newtable(L);
    for (i = 0; argv[i]; i++) { /* arg[0] is the script, arg[-1] this program */
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i - 1);
    }
    lua_setglobal(L, "arg");
    if (luaL_loadfile(L, strcmp(argv[1], "-") ? argv[1] : NULL) != 0) return lua_error(L);
    lua_call(L, 0, 0);
    return 0;
}

int main(int argc, char **argv)
{
    counter c;
    lua_State *L = argc > 1 ? new_state(&c) : NULL;
    int status;
    if (!L) {
        fprintf(stderr, "usage: host SCRIPT [ARGUMENT...]\n");
        return 2;
    }
    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, argv);
    status = lua_pcall(L, 1, 0, 0);
    if (status) fprintf(stderr, "%s\n", lua_isstring(L, -1) ? lua_tostring(L, -1) : "(an error without a message)");
    fflush(stdout);
    lua_close(L);
    if (c.bytes) fprintf(stderr, "host: %ld bytes still held\n", (long)c.bytes);
    return status || c.bytes ? 1 : 0;
}
