// addon.cc - the Node-API glue: hands bytes, numbers and states from JavaScript to hashcore.h and back.
//
// lib/*.js checks every argument and words every misuse; what arrives here are typed arrays, integers and arrays that
// only lib/*.js has seen. A wrong type is still refused (TypeError), never followed. No function runs user code
// between taking a pointer and using it, and none makes a Buffer. Calls that happen per message are raw Node-API: they
// give undefined when they cannot serve (a zero length may be a detached view), and JavaScript takes the long way.
#include <napi.h>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "errors.h"
#include "hashcore.h"

namespace {

// ---- States: slots of a slab that only its finalizer frees ------------------------------------------------

struct Slot {
    const hc_alg *alg;
    uint64_t unused;
    union {
        hc_state state;
        hc_xof xof;
        hc_bao bao;
    } u;
};
constexpr uint32_t SLOTS = 16; // 33 KiB a slab: one External and its finalizer for 16 objects

void free_slab(napi_env, void *slab, void *)
{
    hc_wipe(slab, sizeof(Slot) * SLOTS); // some of them may be keyed
    std::free(slab);
}

Slot *slot_of(napi_env env, napi_value slab, napi_value index)
{
    void *p = nullptr;
    uint32_t i;
    if (napi_get_value_external(env, slab, &p) != napi_ok || napi_get_value_uint32(env, index, &i) != napi_ok ||
        i >= SLOTS)
        return nullptr;
    return static_cast<Slot *>(p) + i;
}
Slot *live_slot(napi_env env, napi_value slab, napi_value index)
{
    Slot *s = slot_of(env, slab, index);
    return s && s->alg ? s : nullptr;
}

// ---- Arguments --------------------------------------------------------------------------------------------

#define HC_ARGS(n)                                                                                                     \
    napi_value argv[n];                                                                                                \
    size_t argc = n;                                                                                                   \
    void *instance = nullptr;                                                                                          \
    napi_get_cb_info(env, info, &argc, argv, nullptr, &instance)

// Of this load of the addon. V8 keeps small typed arrays inside its heap and must move one out before a pointer to it
// can be had, which costs more than hashing it: JavaScript copies those into `scratch` and passes a length.
constexpr size_t SCRATCH = 4096;
// What jobs read and write goes with the environment. Node waits for them first; Deno does not when an error ends it.
struct Jobs {
    std::atomic<unsigned> working{0};
    std::atomic<bool> closing{false};
    std::atomic<unsigned> holders{1}; // the instance, its hook, each job
};
void let_go(Jobs *jobs)
{
    if (jobs && --jobs->holders == 0) delete jobs;
}
struct Instance {
    uint8_t *scratch;
    napi_ref buffer; // owns scratch
    Jobs *jobs = new Jobs;
    ~Instance() { let_go(jobs); }
};

// Any view; false when it is none.
bool bytes_of(napi_env env, napi_value value, hc_slice *out)
{
    void *p = nullptr;
    if (napi_get_buffer_info(env, value, &p, &out->len) != napi_ok) return false;
    out->data = p;
    return true;
}
struct Room {
    uint8_t *data;
    size_t len;
};
bool room_of(napi_env env, napi_value value, Room *out)
{
    void *p = nullptr;
    if (napi_get_buffer_info(env, value, &p, &out->len) != napi_ok) return false;
    out->data = static_cast<uint8_t *>(p);
    return true;
}
bool is_nullish(const Napi::Value &v) { return v.IsUndefined() || v.IsNull(); }
uint32_t u32_of(const Napi::Value &v) { return v.IsNumber() ? v.As<Napi::Number>().Uint32Value() : 0; }
uint64_t u64_of(const Napi::Value &v) // a BigInt that fits, or a number
{
    bool lossless;
    if (v.IsBigInt()) return v.As<Napi::BigInt>().Uint64Value(&lossless);
    return v.IsNumber() ? static_cast<uint64_t>(v.As<Napi::Number>().Int64Value()) : 0;
}
const hc_alg *alg_of(napi_env env, napi_value v)
{
    uint32_t i;
    return napi_get_value_uint32(env, v, &i) == napi_ok ? hc_alg_at(i) : nullptr;
}
napi_value boolean(napi_env env, bool x)
{
    napi_value v = nullptr;
    napi_get_boolean(env, x, &v);
    return v;
}
napi_value number(napi_env env, double x)
{
    napi_value v = nullptr;
    napi_create_double(env, x, &v);
    return v;
}

// ---- Errors -----------------------------------------------------------------------------------------------

napi_value error_of(napi_env env, const hc_error &err)
{
    char text[512];
    hc_node_class kind;
    const char *code = hc_node_code(err.code, &kind);
    hc_node_text(&err, text, sizeof text);
    napi_value c, t, e = nullptr;
    napi_create_string_utf8(env, code, NAPI_AUTO_LENGTH, &c);
    napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &t);
    (kind == HC_NODE_TYPE_ERROR    ? napi_create_type_error
     : kind == HC_NODE_RANGE_ERROR ? napi_create_range_error
                                   : napi_create_error)(env, c, t, &e);
    if (err.code == HC_E_IO) napi_set_named_property(env, e, "errno", number(env, -err.os_error));
    return e;
}
napi_value fail(napi_env env, const hc_error &err)
{
    napi_throw(env, error_of(env, err));
    return nullptr;
}
// lib/*.js never gets here; a caller of the addon's own functions might.
napi_value bad_call(napi_env env)
{
    napi_throw_type_error(env, "ERR_INVALID_ARG_TYPE", "Invalid argument");
    return nullptr;
}
Napi::Value bad_call(const Napi::CallbackInfo &info) { return Napi::Value(info.Env(), bad_call(napi_env(info.Env()))); }
Napi::Value done(const Napi::CallbackInfo &info, int code, const hc_error &err)
{
    if (code != HC_OK) fail(info.Env(), err);
    return info.Env().Undefined();
}

// [given, BigUint64Array of digest_size and the seven tree members, key, salt, person, context] or undefined.
struct Options {
    hc_options o = HC_OPTIONS_INIT;
    const hc_options *get() const { return o.given ? &o : nullptr; }
    bool read(const Napi::Value &v)
    {
        if (is_nullish(v)) return true;
        if (!v.IsArray()) return false;
        Napi::Array a = v.As<Napi::Array>();
        hc_slice n, *bytes[] = {&o.key, &o.salt, &o.person, &o.context};
        if (a.Length() != 6 || !bytes_of(v.Env(), a.Get(1u), &n) || n.len != 64) return false;
        o.given = u32_of(a.Get(0u));
        uint64_t w[8];
        std::memcpy(w, n.data, 64);
        o.digest_size = w[0], o.fanout = w[1], o.depth = w[2], o.leaf_size = w[3];
        o.node_offset = w[4], o.node_depth = w[5], o.inner_size = w[6], o.last_node = w[7];
        for (uint32_t i = 0; i < 4; i++)
            if (o.given & (HC_GIVEN_KEY << i) && !bytes_of(v.Env(), a.Get(2 + i), bytes[i])) return false;
        return true;
    }
};

// ---- Per message: raw Node-API ----------------------------------------------------------------------------

constexpr size_t STRING_MAX = 4096; // UTF-8 bytes that a string may take on the stack; longer ones become Buffers in JS

// A message is a view, a short string, or how many bytes of scratch. False: not this way (see the head of the file).
enum Kind { VIEW, TEXT, COPY };
template <Kind kind> bool message_of(napi_env env, napi_value v, const void *instance, char *buf, hc_slice *out)
{
    if (kind == VIEW) return bytes_of(env, v, out) && out->len != 0;
    if (kind == COPY) {
        uint32_t n;
        if (napi_get_value_uint32(env, v, &n) != napi_ok || n > SCRATCH) return false;
        out->data = static_cast<const Instance *>(instance)->scratch;
        out->len = n;
        return true;
    }
    out->data = buf;
    return napi_get_value_string_utf8(env, v, buf, STRING_MAX, &out->len) == napi_ok && out->len < STRING_MAX - 4;
}

napi_value hex_string(napi_env env, const uint8_t *digest, size_t n)
{
    char hex[128];
    napi_value v = nullptr;
    hc_hex(hex, digest, n);
    napi_create_string_latin1(env, hex, 2 * n, &v);
    return v;
}

// hashHex(alg, message): the default digest, in hexadecimal.
template <Kind kind> napi_value hash_hex(napi_env env, napi_callback_info info)
{
    HC_ARGS(2);
    char buf[kind == TEXT ? STRING_MAX : 1];
    uint8_t out[64];
    hc_slice m;
    hc_error err;
    const hc_alg *alg = alg_of(env, argv[0]);
    if (!alg || alg->digest_size > sizeof out || !message_of<kind>(env, argv[1], instance, buf, &m)) return nullptr;
    if (hc_digest(alg, out, alg->digest_size, 0, nullptr, &m, 1, 0, &err) != HC_OK) return fail(env, err);
    return hex_string(env, out, alg->digest_size);
}

// hashInto(alg, message, out): a digest that fills a view; true when done. An algorithm that has no digest of that size:
// not this way.
template <Kind kind> napi_value hash_into(napi_env env, napi_callback_info info)
{
    HC_ARGS(3);
    char buf[kind == TEXT ? STRING_MAX : 1];
    Room out;
    hc_slice m;
    hc_error err;
    const hc_alg *alg = alg_of(env, argv[0]);
    if (!alg || !message_of<kind>(env, argv[1], instance, buf, &m) || !room_of(env, argv[2], &out)) return nullptr;
    if (out.len == alg->digest_size) {
        if (hc_digest(alg, out.data, out.len, 0, nullptr, &m, 1, 0, &err) != HC_OK) return fail(env, err);
    } else {
        hc_options o = HC_OPTIONS_INIT;
        o.given = HC_GIVEN_DIGEST_SIZE;
        o.digest_size = out.len;
        if (hc_digest(alg, out.data, out.len, 0, &o, &m, 1, 0, &err) != HC_OK) return nullptr;
    }
    return boolean(env, true);
}

// update(slab, slot, message, alg): true when done. alg of a state not begun yet, -1 otherwise.
template <Kind kind> napi_value update(napi_env env, napi_callback_info info)
{
    HC_ARGS(4);
    char buf[kind == TEXT ? STRING_MAX : 1];
    hc_slice m;
    int32_t alg = -1;
    Slot *s = slot_of(env, argv[0], argv[1]);
    if (!s || !message_of<kind>(env, argv[2], instance, buf, &m) || napi_get_value_int32(env, argv[3], &alg) != napi_ok)
        return nullptr;
    if (alg >= 0) {
        const hc_alg *a = hc_alg_at(static_cast<uint32_t>(alg));
        hc_error err;
        if (!a) return bad_call(env);
        if (a->init(&s->u, nullptr, &err) != HC_OK) return fail(env, err);
        s->alg = a;
    }
    if (!s->alg) return bad_call(env);
    s->alg->update(&s->u, m.data, m.len);
    return boolean(env, true);
}

// finalHex(slab, slot): the state's own digest, at most 64 bytes of it; else undefined.
napi_value final_hex(napi_env env, napi_callback_info info)
{
    HC_ARGS(2);
    uint8_t out[64];
    hc_error err;
    Slot *s = live_slot(env, argv[0], argv[1]);
    uint64_t n = s ? s->alg->size(&s->u) : 65;
    if (n > sizeof out) return nullptr;
    if (s->alg->final(&s->u, out, static_cast<size_t>(n), 0, &err) != HC_OK) return fail(env, err);
    return hex_string(env, out, static_cast<size_t>(n));
}

// finalInto(slab, slot, out, seek BigInt or undefined): out.length bytes of output.
napi_value final_into(napi_env env, napi_callback_info info)
{
    HC_ARGS(4);
    Room out;
    uint64_t seek = 0;
    bool lossless;
    hc_error err;
    Slot *s = live_slot(env, argv[0], argv[1]);
    if (!s || !room_of(env, argv[2], &out)) return bad_call(env);
    if (argc > 3) napi_get_value_bigint_uint64(env, argv[3], &seek, &lossless);
    if (s->alg->final(&s->u, out.data, out.len, seek, &err) != HC_OK) return fail(env, err);
    return nullptr;
}

// xor2(dst, a, b): all three of the same length (JavaScript saw to that); true when done.
napi_value xor2(napi_env env, napi_callback_info info)
{
    HC_ARGS(3);
    Room dst;
    size_t n;
    hc_slice s[2];
    hc_error err;
    if (!room_of(env, argv[0], &dst) || !bytes_of(env, argv[1], &s[0]) || !bytes_of(env, argv[2], &s[1]))
        return bad_call(env);
    if (hc_xor_many(&n, dst.data, dst.len, s, 2, &err) != HC_OK) return fail(env, err);
    return number(env, static_cast<double>(n));
}

// mask(dst, dst offset, src, length, key, phase): undefined; false when a range or an argument is not right. src
// undefined: dst in place.
bool whole(napi_env env, napi_value v, size_t max, size_t *out)
{
    double d;
    if (napi_get_value_double(env, v, &d) != napi_ok || !(d >= 0 && d <= static_cast<double>(max))) return false;
    *out = static_cast<size_t>(d);
    return static_cast<double>(*out) == d;
}
napi_value mask(napi_env env, napi_callback_info info)
{
    HC_ARGS(6);
    Room dst;
    size_t at, n;
    hc_slice src, key;
    uint64_t phase = 0;
    bool lossless;
    hc_error err;
    napi_valuetype type;
    if (!room_of(env, argv[0], &dst) || !whole(env, argv[1], dst.len, &at) || !bytes_of(env, argv[4], &key) ||
        napi_typeof(env, argv[2], &type) != napi_ok ||
        (argc > 5 && napi_get_value_bigint_uint64(env, argv[5], &phase, &lossless) != napi_ok))
        return boolean(env, false);
    if (type == napi_undefined) src.data = dst.data + at, src.len = dst.len - at;
    else if (!bytes_of(env, argv[2], &src)) return boolean(env, false);
    if (!whole(env, argv[3], src.len, &n) || n == 0 || n > dst.len - at) return boolean(env, false);
    if (hc_xor_mask(dst.data + at, key.data, key.len, phase, src.data, n, &err) != HC_OK) return fail(env, err);
    return nullptr;
}

// WebSocket frames, in two calls that read words from scratch, since each argument costs: the key in the order of its bytes,
// dst offset, length. Each is read as it was stored, one word at a time: a load that spans two stores waits for both.
// maskIn(buffer); maskTo(dst, src), where they differ. True when done.
uint32_t scratch_word(const void *instance, unsigned i)
{
    uint32_t w;
    std::memcpy(&w, static_cast<const Instance *>(instance)->scratch + 4 * i, 4);
    return w;
}
napi_value mask_in(napi_env env, napi_callback_info info)
{
    HC_ARGS(1);
    Room dst;
    hc_error err;
    if (!room_of(env, argv[0], &dst) || dst.len == 0) return nullptr;
    const uint32_t key = scratch_word(instance, 0);
    if (hc_xor_mask(dst.data, &key, 4, 0, dst.data, dst.len, &err) != HC_OK) return fail(env, err);
    return argv[0];
}
napi_value mask_to(napi_env env, napi_callback_info info)
{
    HC_ARGS(2);
    Room dst;
    hc_slice src;
    hc_error err;
    if (!room_of(env, argv[0], &dst) || !bytes_of(env, argv[1], &src)) return nullptr;
    const uint32_t key = scratch_word(instance, 0), at = scratch_word(instance, 1), n = scratch_word(instance, 2);
    if (n == 0 || n > src.len || at > dst.len || n > dst.len - at) return nullptr;
    if (hc_xor_mask(dst.data + at, &key, 4, 0, src.data, n, &err) != HC_OK) return fail(env, err);
    return argv[0];
}

// initKey(slab, slot, alg, key): true when done.
template <Kind kind> napi_value init_key(napi_env env, napi_callback_info info)
{
    HC_ARGS(4);
    char buf[kind == TEXT ? STRING_MAX : 1];
    hc_options o = HC_OPTIONS_INIT;
    hc_error err;
    Slot *s = slot_of(env, argv[0], argv[1]);
    const hc_alg *alg = alg_of(env, argv[2]);
    if (!s || !alg || !message_of<kind>(env, argv[3], instance, buf, &o.key)) return nullptr;
    o.given = HC_GIVEN_KEY;
    int code = alg->init(&s->u, &o, &err);
    if (kind == TEXT) hc_wipe(buf, sizeof buf);
    if (code != HC_OK) return fail(env, err);
    s->alg = alg;
    return boolean(env, true);
}

// ---- Jobs: the same call, now or on a worker thread -------------------------------------------------------

// What a job reads and writes belongs to `keep`: views over memory that lib/*.js shows to nobody, and slabs. Raw
// Node-API: in a worker that is being ended every call here may fail, and then nobody waits for the promise.
using Work = std::function<int(hc_error *, double *)>;
struct Job {
    Work work;
    napi_async_work handle = nullptr;
    napi_deferred deferred = nullptr;
    napi_ref keep = nullptr;
    Jobs *jobs = nullptr;
    int code = HC_OK;
    double result = 0;
    hc_error err = {};
    ~Job() { let_go(jobs); }
};
void job_execute(napi_env, void *data)
{
    Job *job = static_cast<Job *>(data);
    Jobs *jobs = job->jobs;
    jobs->working++;
    job->code = jobs->closing ? job->err.code = HC_E_CANCELED : job->work(&job->err, &job->result);
    jobs->working--;
}
void close_jobs(void *data) // none begins any more, and those that run are waited for
{
    Jobs *jobs = static_cast<Jobs *>(data);
    jobs->closing = true;
    while (jobs->working) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    let_go(jobs);
}
void job_complete(napi_env env, napi_status status, void *data)
{
    Job *job = static_cast<Job *>(data);
    napi_handle_scope scope;
    if (napi_open_handle_scope(env, &scope) == napi_ok) {
        if (status == napi_ok && job->code == HC_OK)
            napi_resolve_deferred(env, job->deferred, number(env, job->result));
        else if (status == napi_ok)
            napi_reject_deferred(env, job->deferred, error_of(env, job->err));
        napi_close_handle_scope(env, scope);
    }
    napi_delete_reference(env, job->keep);
    napi_delete_async_work(env, job->handle);
    delete job;
}

// keep undefined: now, on this thread. Else a promise.
Napi::Value run(const Napi::CallbackInfo &info, const Napi::Value &keep, Work work)
{
    napi_env env = info.Env();
    if (keep.IsObject()) {
        Job *job = new Job;
        job->work = std::move(work);
        void *instance = nullptr;
        if (napi_get_instance_data(env, &instance) == napi_ok && instance) {
            job->jobs = static_cast<Instance *>(instance)->jobs;
            job->jobs->holders++;
        }
        napi_value name, promise;
        if (job->jobs && napi_create_string_latin1(env, "hashcore", NAPI_AUTO_LENGTH, &name) == napi_ok &&
            napi_create_reference(env, keep, 1, &job->keep) == napi_ok &&
            napi_create_async_work(env, nullptr, name, job_execute, job_complete, job, &job->handle) == napi_ok &&
            napi_create_promise(env, &job->deferred, &promise) == napi_ok &&
            napi_queue_async_work(env, job->handle) == napi_ok)
            return Napi::Value(env, promise);
        if (job->handle) napi_delete_async_work(env, job->handle);
        if (job->keep) napi_delete_reference(env, job->keep);
        delete job;
        napi_throw_error(env, "ERR_OPERATION_FAILED", "Operation failed: no job could be started");
        return info.Env().Undefined();
    }
    hc_error err = {};
    double result = 0;
    if (work(&err, &result) != HC_OK) {
        fail(env, err);
        return info.Env().Undefined();
    }
    return Napi::Number::New(env, result);
}

// absorb(slab, slot, message, threads, keep)
Napi::Value absorb(const Napi::CallbackInfo &info)
{
    hc_slice m;
    Slot *s = live_slot(info.Env(), info[0], info[1]);
    if (!s || !bytes_of(info.Env(), info[2], &m)) return bad_call(info);
    unsigned threads = u32_of(info[3]);
    return run(info, info[4], [=](hc_error *, double *) {
        s->alg->update_threads(&s->u, m.data, m.len, threads);
        return static_cast<int>(HC_OK);
    });
}

bool slices_of(const Napi::Value &v, std::vector<hc_slice> *out)
{
    napi_env env = v.Env();
    uint32_t n;
    if (!v.IsArray() || napi_get_array_length(env, v, &n) != napi_ok) return false;
    out->resize(n);
    bool ok = true;
    for (uint32_t i = 0; i < n && ok;) { // a handle scope for many elements: one each would cost as much as the rest
        napi_handle_scope scope;
        if (napi_open_handle_scope(env, &scope) != napi_ok) return false;
        for (uint32_t end = n - i > 128 ? i + 128 : n; i < end && ok; i++) {
            napi_value element;
            ok = napi_get_element(env, v, i, &element) == napi_ok && bytes_of(env, element, &(*out)[i]);
        }
        napi_close_handle_scope(env, scope);
    }
    return ok;
}

// digest(alg, options, parts, out, seek, threads)
Napi::Value digest(const Napi::CallbackInfo &info)
{
    Options options;
    std::vector<hc_slice> parts;
    Room out;
    hc_error err;
    const hc_alg *alg = alg_of(info.Env(), info[0]);
    if (!alg || !options.read(info[1]) || !slices_of(info[2], &parts) || !room_of(info.Env(), info[3], &out))
        return bad_call(info);
    int code = hc_digest(alg, out.data, out.len, u64_of(info[4]), options.get(), parts.data(), parts.size(),
                         u32_of(info[5]), &err);
    return done(info, code, err);
}

// digestMany(alg, options, count, items | null, data, itemSize, offsets | null, prefix | null, out, digest size,
// threads, keep)
Napi::Value digest_many(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();
    Options options;
    std::vector<hc_slice> items;
    hc_batch b = {};
    Room out;
    size_t size = static_cast<size_t>(u64_of(info[9]));
    const hc_alg *alg = alg_of(env, info[0]);
    if (!alg || !options.read(info[1]) || !room_of(env, info[8], &out)) return bad_call(info);
    b.count = static_cast<size_t>(u64_of(info[2]));
    const bool apart = !is_nullish(info[3]);
    if (apart) {
        if (!slices_of(info[3], &items) || items.size() != b.count) return bad_call(info);
    } else if (!bytes_of(env, info[4], &b.data)) {
        return bad_call(info);
    }
    b.item_size = static_cast<size_t>(u64_of(info[5]));
    if (!is_nullish(info[6])) {
        hc_slice offsets;
        if (!info[6].IsTypedArray() || !bytes_of(env, info[6], &offsets)) return bad_call(info);
        size_t width = info[6].As<Napi::TypedArray>().ElementSize();
        if ((width != 4 && width != 8) || offsets.len / width == 0 || offsets.len / width - 1 != b.count)
            return bad_call(info);
        b.offsets = offsets.data;
        b.offset_bits = static_cast<unsigned>(width * 8);
    }
    if (!is_nullish(info[7]) && !bytes_of(env, info[7], &b.prefix)) return bad_call(info);
    if (size == 0 ? out.len != 0 : (out.len % size || out.len / size != b.count)) return bad_call(info);
    unsigned threads = u32_of(info[10]);
    // The key and the like lie in views too: keep holds them.
    return run(info, info[11], [=](hc_error *err, double *) {
        static const hc_slice none = {nullptr, 0};
        hc_batch batch = b;
        if (apart) batch.items = items.empty() ? &none : items.data();
        return hc_digest_many(alg, out.data, size, options.get(), &batch, threads, err);
    });
}

// What a file job asks while it waits or has read some: whether the byte that JavaScript shares with it is set.
struct Stop {
    const std::atomic<uint8_t> *byte;
    const Jobs *jobs;
};
int stopped(void *user, uint64_t, uint64_t)
{
    const Stop *stop = static_cast<const Stop *>(user);
    return stop->byte->load(std::memory_order_relaxed) || (stop->jobs && stop->jobs->closing);
}

// updateFile([slab, slot, slab, slot, ...], path | fd, offset, length, threads, keep, stop): bytes read. keep holds stop.
Napi::Value update_file(const Napi::CallbackInfo &info)
{
    if (!info[0].IsArray()) return bad_call(info);
    Napi::Array a = info[0].As<Napi::Array>();
    std::vector<const hc_alg *> algs(a.Length() / 2); // sized at once: push_back would export an instance of its own
    std::vector<void *> states(a.Length() / 2);
    for (uint32_t i = 0; i < algs.size(); i++) {
        Slot *s = live_slot(info.Env(), a.Get(2 * i), a.Get(2 * i + 1));
        if (!s) return bad_call(info);
        algs[i] = s->alg;
        states[i] = &s->u;
    }
    std::string path = info[1].IsString() ? info[1].As<Napi::String>().Utf8Value() : std::string();
    bool by_path = info[1].IsString();
    hc_file file = HC_FILE_INIT;
    file.fd = info[1].IsNumber() ? info[1].As<Napi::Number>().Int32Value() : -1;
    file.offset = u64_of(info[2]);
    file.length = u64_of(info[3]);
    file.threads = u32_of(info[4]);
    Room byte;
    if (!room_of(info.Env(), info[6], &byte) || byte.len != 1) return bad_call(info);
    void *instance = nullptr;
    napi_get_instance_data(info.Env(), &instance);
    const Stop stop = {reinterpret_cast<const std::atomic<uint8_t> *>(byte.data),
                       instance ? static_cast<Instance *>(instance)->jobs : nullptr};
    return run(info, info[5], [=](hc_error *err, double *read) {
        hc_file f = file;
        Stop s = stop;
        uint64_t n = 0;
        f.progress = stopped;
        f.user = &s;
        if (by_path) f.path = path.c_str();
        int code = hc_update_file(algs.data(), states.data(), algs.size(), &f, &n, err);
        *read = static_cast<double>(n);
        return code;
    });
}

// ---- Objects ----------------------------------------------------------------------------------------------

Napi::Value slab(const Napi::CallbackInfo &info)
{
    void *p = std::calloc(SLOTS, sizeof(Slot));
    napi_value v = nullptr;
    if (!p || napi_create_external(info.Env(), p, free_slab, nullptr, &v) != napi_ok) {
        std::free(p);
        napi_throw_error(info.Env(), "ERR_MEMORY_ALLOCATION_FAILED", "Failed to allocate memory");
        return info.Env().Undefined();
    }
    return Napi::Value(info.Env(), v);
}

// init(slab, slot, alg, options): the state's digest size
Napi::Value init(const Napi::CallbackInfo &info)
{
    Options options;
    hc_error err;
    Slot *s = slot_of(info.Env(), info[0], info[1]);
    const hc_alg *alg = alg_of(info.Env(), info[2]);
    if (!s || !alg || !options.read(info[3])) return bad_call(info);
    if (alg->init(&s->u, options.get(), &err) != HC_OK) return done(info, err.code, err);
    s->alg = alg;
    return Napi::BigInt::New(info.Env(), alg->size(&s->u));
}
Napi::Value digest_size(const Napi::CallbackInfo &info)
{
    Slot *s = live_slot(info.Env(), info[0], info[1]);
    return s ? Napi::BigInt::New(info.Env(), s->alg->size(&s->u)) : bad_call(info);
}
Napi::Value reset(const Napi::CallbackInfo &info)
{
    Slot *s = live_slot(info.Env(), info[0], info[1]);
    if (!s) return bad_call(info);
    s->alg->reset(&s->u);
    return info.Env().Undefined();
}
// copy(to slab, slot, from slab, slot)
Napi::Value copy(const Napi::CallbackInfo &info)
{
    Slot *to = slot_of(info.Env(), info[0], info[1]), *from = live_slot(info.Env(), info[2], info[3]);
    if (!to || !from) return bad_call(info);
    from->alg->copy(&to->u, &from->u);
    to->alg = from->alg;
    return info.Env().Undefined();
}
Napi::Value wipe(const Napi::CallbackInfo &info)
{
    Slot *s = slot_of(info.Env(), info[0], info[1]);
    if (!s) return bad_call(info);
    hc_wipe(s, sizeof *s);
    return info.Env().Undefined();
}
// exportState(slab, slot, out, format): bytes written
Napi::Value export_state(const Napi::CallbackInfo &info)
{
    Room out;
    hc_error err;
    Slot *s = live_slot(info.Env(), info[0], info[1]);
    if (!s || !room_of(info.Env(), info[2], &out)) return bad_call(info);
    if (hc_export(s->alg, &s->u, out.data, &out.len, static_cast<int>(u32_of(info[3])), &err) != HC_OK)
        return done(info, err.code, err);
    return Napi::Number::New(info.Env(), static_cast<double>(out.len));
}
// importState(slab, slot, alg, image): the state's digest size
Napi::Value import_state(const Napi::CallbackInfo &info)
{
    hc_slice image;
    hc_error err;
    Slot *s = slot_of(info.Env(), info[0], info[1]);
    const hc_alg *alg = alg_of(info.Env(), info[2]);
    if (!s || !alg || !bytes_of(info.Env(), info[3], &image)) return bad_call(info);
    if (hc_import(alg, &s->u, image.data, image.len, &err) != HC_OK) return done(info, err.code, err);
    s->alg = alg;
    return Napi::BigInt::New(info.Env(), alg->size(&s->u));
}
// xofOpen(to slab, slot, state slab, slot): size. The slot's alg stays NULL: nothing else takes it for a state.
Napi::Value xof_open(const Napi::CallbackInfo &info)
{
    hc_error err;
    Slot *to = slot_of(info.Env(), info[0], info[1]), *from = live_slot(info.Env(), info[2], info[3]);
    if (!to || !from || to == from) return bad_call(info);
    if (hc_xof_open(&to->u.xof, from->alg, &from->u, &err) != HC_OK) return done(info, err.code, err);
    to->alg = nullptr;
    return Napi::BigInt::New(info.Env(), hc_xof_size(&to->u.xof));
}
// xofRead(slab, slot, out, offset, threads, keep)
Napi::Value xof_read(const Napi::CallbackInfo &info)
{
    Room out;
    Slot *s = slot_of(info.Env(), info[0], info[1]);
    if (!s || s->alg || !room_of(info.Env(), info[2], &out)) return bad_call(info);
    uint64_t offset = u64_of(info[3]);
    unsigned threads = u32_of(info[4]);
    return run(info, info[5], [=](hc_error *err, double *) {
        return hc_xof_read(&s->u.xof, out.data, out.len, offset, threads, err);
    });
}

// ---- BLAKE3 trees and Bao ---------------------------------------------------------------------------------

struct Mode {
    hc_blake3_mode m;
    ~Mode() { hc_wipe(&m, sizeof m); }
    bool read(const Napi::Value &v, hc_error *err, int *code)
    {
        Options options;
        if (!options.read(v)) return false;
        *code = hc_blake3_mode_init(&m, options.get(), err);
        return true;
    }
};

// subtree(out, options, data, first chunk, threads)
Napi::Value subtree(const Napi::CallbackInfo &info)
{
    Room out;
    hc_slice data;
    Mode mode;
    hc_error err;
    int code;
    if (!room_of(info.Env(), info[0], &out) || out.len != 32 || !bytes_of(info.Env(), info[2], &data) ||
        !mode.read(info[1], &err, &code))
        return bad_call(info);
    if (code == HC_OK)
        code = hc_blake3_subtree(out.data, &mode.m, data.data, data.len, u64_of(info[3]), u32_of(info[4]), &err);
    return done(info, code, err);
}
// parent(out, options, left, right)
Napi::Value parent(const Napi::CallbackInfo &info)
{
    Room out;
    hc_slice l, r;
    Mode mode;
    hc_error err;
    int code;
    if (!room_of(info.Env(), info[0], &out) || out.len != 32 || !bytes_of(info.Env(), info[2], &l) || l.len != 32 ||
        !bytes_of(info.Env(), info[3], &r) || r.len != 32 || !mode.read(info[1], &err, &code))
        return bad_call(info);
    if (code == HC_OK)
        hc_blake3_parent(out.data, &mode.m, static_cast<const uint8_t *>(l.data), static_cast<const uint8_t *>(r.data));
    return done(info, code, err);
}
// root(out, options, values, seek)
Napi::Value root(const Napi::CallbackInfo &info)
{
    Room out;
    hc_slice cvs;
    Mode mode;
    hc_error err;
    int code;
    if (!room_of(info.Env(), info[0], &out) || !bytes_of(info.Env(), info[2], &cvs) || cvs.len % 32 ||
        !mode.read(info[1], &err, &code))
        return bad_call(info);
    if (code == HC_OK) code = hc_blake3_root(out.data, out.len, u64_of(info[3]), &mode.m, cvs.data, cvs.len / 32, &err);
    return done(info, code, err);
}
template <uint64_t (*f)(uint64_t)> Napi::Value of_u64(const Napi::CallbackInfo &info)
{
    return Napi::BigInt::New(info.Env(), f(u64_of(info[0])));
}

// baoSize(data length, group, outboard)
Napi::Value bao_size(const Napi::CallbackInfo &info)
{
    uint64_t size = 0;
    hc_error err;
    int code = hc_bao_size(&size, u64_of(info[0]), u32_of(info[1]), info[2].ToBoolean(), &err);
    if (code != HC_OK) return done(info, code, err);
    return Napi::BigInt::New(info.Env(), size);
}
// baoDecode(slab, slot, root | null, options, group, outboard, start, length)
Napi::Value bao_decode(const Napi::CallbackInfo &info)
{
    hc_slice hash = {nullptr, 0};
    Mode mode;
    hc_error err;
    int code;
    Slot *s = slot_of(info.Env(), info[0], info[1]);
    if (!s || (!is_nullish(info[2]) && (!bytes_of(info.Env(), info[2], &hash) || hash.len != 32)) ||
        !mode.read(info[3], &err, &code))
        return bad_call(info);
    s->alg = nullptr;
    if (code == HC_OK)
        code = hc_bao_decode(&s->u.bao, static_cast<const uint8_t *>(hash.data), &mode.m, u32_of(info[4]),
                             info[5].ToBoolean(), u64_of(info[6]), u64_of(info[7]), &err);
    return done(info, code, err);
}
// baoEncode(slab, slot, options, group, outboard, data length)
Napi::Value bao_encode(const Napi::CallbackInfo &info)
{
    Mode mode;
    hc_error err;
    int code;
    Slot *s = slot_of(info.Env(), info[0], info[1]);
    if (!s || !mode.read(info[2], &err, &code)) return bad_call(info);
    s->alg = nullptr;
    if (code == HC_OK)
        code = hc_bao_encode(&s->u.bao, &mode.m, u32_of(info[3]), info[4].ToBoolean(), u64_of(info[5]), &err);
    return done(info, code, err);
}
// baoNext(slab, slot, BigUint64Array(4)): kind, size, encoded_at, data_at
Napi::Value bao_next(const Napi::CallbackInfo &info)
{
    Room out;
    hc_bao_step step;
    Slot *s = slot_of(info.Env(), info[0], info[1]);
    if (!s || s->alg || !room_of(info.Env(), info[2], &out) || out.len != 32) return bad_call(info);
    hc_bao_next(&s->u.bao, &step);
    const uint64_t w[4] = {static_cast<uint64_t>(step.kind), step.size, step.encoded_at, step.data_at};
    std::memcpy(out.data, w, 32);
    return info.Env().Undefined();
}
// baoPut(slab, slot, bytes)
Napi::Value bao_put(const Napi::CallbackInfo &info)
{
    hc_slice bytes;
    hc_error err;
    Slot *s = slot_of(info.Env(), info[0], info[1]);
    if (!s || s->alg || !bytes_of(info.Env(), info[2], &bytes)) return bad_call(info);
    return done(info, hc_bao_put(&s->u.bao, bytes.data, bytes.len, &err), err);
}
// baoGet(slab, slot, out)
Napi::Value bao_get(const Napi::CallbackInfo &info)
{
    Room out;
    hc_error err;
    Slot *s = slot_of(info.Env(), info[0], info[1]);
    if (!s || s->alg || !room_of(info.Env(), info[2], &out)) return bad_call(info);
    return done(info, hc_bao_get(&s->u.bao, out.data, out.len, &err), err);
}

// ---- The rest ---------------------------------------------------------------------------------------------

// xorMany(dst, sources): the least source length
Napi::Value xor_many(const Napi::CallbackInfo &info)
{
    Room dst;
    size_t n = 0;
    std::vector<hc_slice> sources;
    hc_error err;
    if (!room_of(info.Env(), info[0], &dst) || !slices_of(info[1], &sources)) return bad_call(info);
    int code = hc_xor_many(&n, dst.data, dst.len, sources.data(), sources.size(), &err);
    if (code != HC_OK) return done(info, code, err);
    return Napi::Number::New(info.Env(), static_cast<double>(n));
}
napi_value equal(napi_env env, napi_callback_info info)
{
    HC_ARGS(2);
    hc_slice a, b;
    if (!bytes_of(env, argv[0], &a) || !bytes_of(env, argv[1], &b)) return bad_call(env);
    return boolean(env, a.len == b.len && hc_equal(a.data, b.data, a.len));
}

// algorithm(i | name): its row; undefined after the last, or when no algorithm has that name
Napi::Value algorithm(const Napi::CallbackInfo &info)
{
    std::string name = info[0].IsString() ? info[0].As<Napi::String>().Utf8Value() : std::string();
    const hc_alg *a = !info[0].IsString() ? hc_alg_at(u32_of(info[0])) : nullptr;
    if (info[0].IsString() && name.find('\0') == std::string::npos) a = hc_alg_find(name.c_str());
    if (!a) return info.Env().Undefined();
    Napi::Object o = Napi::Object::New(info.Env());
    o["name"] = Napi::String::New(info.Env(), a->name);
    o["flags"] = Napi::Number::New(info.Env(), a->flags);
    o["blockSize"] = Napi::Number::New(info.Env(), a->block_size);
    o["digestSize"] = Napi::Number::New(info.Env(), a->digest_size);
    return o;
}

Napi::Value cpu(const Napi::CallbackInfo &info)
{
    Napi::Object o = Napi::Object::New(info.Env()), kernels = Napi::Object::New(info.Env());
    char text[256];
    hc_cpu_text(hc_cpu_detected(), text, sizeof text);
    o["detected"] = Napi::String::New(info.Env(), text);
    hc_cpu_text(hc_cpu_enabled(), text, sizeof text);
    o["enabled"] = Napi::String::New(info.Env(), text);
    const char *slot, *kernel;
    for (size_t i = 0; (kernel = hc_cpu_kernel(i, &slot)) != nullptr; i++)
        kernels[slot] = Napi::String::New(info.Env(), kernel);
    o["kernels"] = kernels;
    return o;
}

void free_instance(napi_env env, void *data, void *)
{
    Instance *instance = static_cast<Instance *>(data);
    napi_delete_reference(env, instance->buffer);
    delete instance;
}

Napi::Object load(Napi::Env env, Napi::Object exports)
{
    hc_error err;
    if (hc_cpu_environment(&err) != HC_OK) {
        char text[512];
        hc_error_text(&err, text, sizeof text);
        napi_throw_error(env, "ERR_INVALID_ARG_VALUE", text);
        return exports;
    }
    static const struct {
        const char *name;
        napi_callback f;
    } raw[] = {{"hashHex", hash_hex<VIEW>}, {"hashTextHex", hash_hex<TEXT>}, {"hashCopyHex", hash_hex<COPY>},
               {"hashInto", hash_into<VIEW>}, {"hashTextInto", hash_into<TEXT>}, {"hashCopyInto", hash_into<COPY>},
               {"update", update<VIEW>}, {"updateText", update<TEXT>}, {"updateCopy", update<COPY>},
               {"finalHex", final_hex}, {"finalInto", final_into}, {"xor2", xor2}, {"mask", mask}, {"maskIn", mask_in}, {"maskTo", mask_to},
               {"equal", equal},
               {"initKey", init_key<VIEW>}, {"initTextKey", init_key<TEXT>}};
    Instance *instance = new Instance();
    void *scratch = nullptr;
    napi_value buffer;
    if (napi_create_arraybuffer(env, SCRATCH, &scratch, &buffer) != napi_ok ||
        napi_create_reference(env, buffer, 1, &instance->buffer) != napi_ok ||
        napi_set_instance_data(env, instance, free_instance, nullptr) != napi_ok) {
        delete instance;
        napi_throw_error(env, "ERR_MEMORY_ALLOCATION_FAILED", "Failed to allocate memory");
        return exports;
    }
    instance->scratch = static_cast<uint8_t *>(scratch);
    instance->jobs->holders++;
    if (napi_add_env_cleanup_hook(env, close_jobs, instance->jobs) != napi_ok) let_go(instance->jobs);
    exports["scratch"] = Napi::Value(env, buffer);
    for (auto &r : raw) {
        napi_value f;
        if (napi_create_function(env, r.name, NAPI_AUTO_LENGTH, r.f, instance, &f) == napi_ok)
            napi_set_named_property(env, exports, r.name, f);
    }
    static const struct {
        const char *name;
        Napi::Value (*f)(const Napi::CallbackInfo &);
    } rest[] = {{"absorb", absorb}, {"digest", digest}, {"digestMany", digest_many}, {"updateFile", update_file},
                {"slab", slab}, {"init", init}, {"digestSize", digest_size}, {"reset", reset}, {"copy", copy},
                {"wipe", wipe}, {"exportState", export_state}, {"importState", import_state}, {"xofOpen", xof_open},
                {"xofRead", xof_read}, {"subtree", subtree}, {"parent", parent}, {"root", root},
                {"subtreeMax", of_u64<hc_blake3_subtree_max>}, {"leftLength", of_u64<hc_blake3_left_len>},
                {"baoSize", bao_size}, {"baoDecode", bao_decode}, {"baoEncode", bao_encode}, {"baoNext", bao_next},
                {"baoPut", bao_put}, {"baoGet", bao_get}, {"xorMany", xor_many}, {"algorithm", algorithm},
                {"cpu", cpu}};
    for (auto &r : rest) exports[r.name] = Napi::Function::New(env, r.f, r.name);
    exports["slots"] = Napi::Number::New(env, SLOTS);
    exports["version"] = Napi::String::New(env, HC_VERSION_STRING);
    return exports;
}

} // namespace

NODE_API_MODULE(hashcore, load)
