'use strict';
// wasm.js - the addon's functions over the core as a WebAssembly module: slower, on one thread, but anywhere.
//
// It has the addon's exports and conventions (see addon.cc). Everything the module sees is copied into its memory and
// wiped there when it may be secret; large input passes through a staging area piece by piece.
const { Buffer, environment, heapOf, hex, later, writeText } = require('./lib/platform');

const SLOTS = 16;
const HEADER = 16;
const CLASSES = [Error, TypeError, RangeError];

// A typed array's own place, whatever properties it was given.
const typed = Object.getPrototypeOf(Uint8Array.prototype);
const [bufferOf, offsetOf, lengthOf, tagOf] = ['buffer', 'byteOffset', 'byteLength', Symbol.toStringTag].map(
  (n) => Object.getOwnPropertyDescriptor(typed, n).get,
);
const u8 = (v) => new Uint8Array(bufferOf.call(v), offsetOf.call(v), lengthOf.call(v));

// code: the bytes of the module.
module.exports = function load(code) {
  let c; // the module's exports
  let heap; // the module's memory; a view goes when the memory grows, which an allocation may make it do
  const bytes = () => (heap.length === 0 ? (heap = heapOf(c.memory.buffer)) : heap);
  const words = (at, n) => new Uint32Array(c.memory.buffer, at, n);
  const longs = (at, n) => new BigUint64Array(c.memory.buffer, at, n);
  const cString = (at) => {
    let s = '';
    for (const all = bytes(); all[at] !== 0; at++) s += String.fromCharCode(all[at]);
    return s;
  };

  // The environment holds HASHCORE_CPU at most; there are no files.
  const level = environment();
  const variable = level === undefined ? undefined : Buffer.from(`HASHCORE_CPU=${level}\0`);
  const wasi = {
    environ_sizes_get(count, size) {
      words(count, 1)[0] = variable ? 1 : 0;
      words(size, 1)[0] = variable ? variable.length : 0;
      return 0;
    },
    environ_get(list, text) {
      if (variable) {
        words(list, 1)[0] = text;
        bytes().set(variable, text);
      }
      return 0;
    },
    proc_exit(status) {
      throw new Error(`hashcore: the WebAssembly module ended with ${status}`);
    },
  };
  const imports = new Proxy(wasi, { get: (target, name) => target[name] ?? (() => 52) }); // 52: not supported
  c = new WebAssembly.Instance(new WebAssembly.Module(code), { wasi_snapshot_preview1: imports }).exports;
  heap = heapOf(c.memory.buffer);
  c._initialize();

  const bad = () => Object.assign(new TypeError('Invalid argument'), { code: 'ERR_INVALID_ARG_TYPE' });
  function check(status) {
    if (status >= 0) return;
    const at = c.allocate(512);
    c.error_text(at, 512);
    const message = cString(at);
    const name = cString(c.error_code(at));
    const Base = CLASSES[words(at, 1)[0]];
    c.release(at);
    throw Object.assign(new Base(message), { code: name });
  }
  check(c.environment());

  const isBytes = (v) => ArrayBuffer.isView(v);
  const staging = c.staged_at();
  const STAGING = c.staged_size();
  const result = c.result_at();

  // f(put, room) with memory that is wiped and freed afterwards.
  function using(f) {
    const held = [];
    const room = (n) => {
      const at = n > 0x7fffffff ? 0 : c.allocate(n); // addresses have 32 bits
      if (at === 0)
        throw Object.assign(new Error('Failed to allocate memory'), { code: 'ERR_MEMORY_ALLOCATION_FAILED' });
      held.push([at, n]);
      return at;
    };
    const put = (view) => {
      const all = u8(view);
      const at = room(all.length);
      bytes().set(all, at);
      return at;
    };
    try {
      return f(put, room);
    } finally {
      c.set_options(0, 0, 0);
      for (const [at, n] of held) {
        c.wipe(at, n);
        c.release(at);
      }
    }
  }
  const take = (view, at) => u8(view).set(bytes().subarray(at, at + view.byteLength));

  function setOptions(o, put, room) {
    if (o === undefined || o === null) return c.set_options(0, 0, 0);
    const [given, numbers, ...secrets] = o;
    const list = room(32);
    secrets.forEach((s, i) => {
      const at = given & (2 << i) && s ? put(s) : 0;
      words(list, 8)[2 * i] = at;
      words(list, 8)[2 * i + 1] = given & (2 << i) ? s.byteLength : 0;
    });
    return c.set_options(given, put(numbers), list);
  }

  // ---- States ---------------------------------------------------------------------------------------------
  const SLOT = (c.state_size() + HEADER + 15) & ~15;
  const lost = new FinalizationRegistry((at) => {
    c.wipe(at, SLOT * SLOTS);
    c.release(at);
  });
  class Slab {
    constructor() {
      this.at = c.allocate(SLOT * SLOTS);
      bytes().fill(0, this.at, this.at + SLOT * SLOTS);
      this.algs = new Array(SLOTS).fill(-1);
      lost.register(this, this.at);
    }
  }
  const place = (slab, slot) => {
    if (!(slab instanceof Slab) || !(slot >= 0 && slot < SLOTS)) throw bad();
    return slab.at + SLOT * slot;
  };
  function absorb(alg, at, data) {
    const all = u8(data);
    for (let i = 0; i < all.length; i += STAGING) {
      const piece = all.subarray(i, i + STAGING);
      bytes().set(piece, staging);
      c.update(alg, at, staging, piece.length);
    }
  }
  const row = (i) => {
    const at = c.allocate(12);
    const name = c.alg_row(i, at);
    const [flags, blockSize, digestSize] = words(at, 3);
    c.release(at);
    return name === 0 ? undefined : { name: cString(name), flags, blockSize, digestSize };
  };
  const rows = [];
  for (let i = 0, r; (r = row(i)) !== undefined; i++) rows.push(r);

  // What stages a message says its length, or -1 when it cannot be had this way (see addon.cc).
  function stageView(data) {
    if (!isBytes(data)) return -1;
    if (tagOf.call(data) === undefined) return -1; // a DataView
    const n = lengthOf.call(data);
    if (n === 0 || n > STAGING) return -1;
    bytes().set(tagOf.call(data) === 'Uint8Array' ? data : u8(data), staging);
    return n;
  }
  const stageText = (text) => writeText(bytes(), staging, STAGING, text); // lib keeps longer text away
  // lib/check.js calls this in place of its own copying into the addon's scratch: a message goes straight to staging.
  function copied(data) {
    if (tagOf.call(data) !== 'Uint8Array') return 0;
    const n = lengthOf.call(data);
    if (n === 0 || n > STAGING) return 0;
    const to = bytes();
    if (n <= 32) for (let i = 0; i < n; i++) to[staging + i] = data[i];
    else to.set(data, staging);
    return n;
  }
  const staged = (n) => n;
  const hashHex = (stage) => (alg, data) => {
    const n = stage(data);
    if (n < 0) return undefined;
    const length = c.digest_staged(alg, n);
    check(length);
    return length === 0 ? undefined : hex(bytes(), result, length);
  };
  const hashInto = (stage) => (alg, data, out) => {
    const n = stage(data);
    if (n < 0 || out.byteLength !== rows[alg].digestSize) return undefined;
    const length = c.digest_staged(alg, n);
    check(length);
    if (length === 0) return undefined;
    const from = bytes();
    for (let i = 0; i < length; i++) out[i] = from[result + i];
    return true;
  };
  const update = (stage) => (slab, slot, data, alg) => {
    const at = place(slab, slot);
    const begin = alg >= 0;
    if (!begin) alg = slab.algs[slot];
    if (alg < 0) throw bad();
    let n = stage(data);
    const long = n < 0;
    if (long) {
      if (stage !== stageView || !isBytes(data) || tagOf.call(data) === undefined || lengthOf.call(data) === 0)
        return undefined;
      n = 0;
    }
    check(c.update_staged(alg, at, n, begin ? 1 : 0));
    slab.algs[slot] = alg;
    if (long) absorb(alg, at, data);
    return true;
  };
  const live = (slab, slot) => {
    const at = place(slab, slot);
    if (slab.algs[slot] < 0) throw bad();
    return at;
  };
  const free = (slab, slot) => {
    const at = place(slab, slot);
    slab.algs[slot] = -1;
    return at;
  };
  function init(slab, slot, alg, o) {
    const at = place(slab, slot);
    using((put, room) => {
      setOptions(o, put, room);
      check(c.init(alg, at));
    });
    slab.algs[slot] = alg;
    return BigInt.asUintN(64, c.size(alg, at));
  }
  const initKey = (slab, slot, alg, key) => {
    if (typeof key !== 'string' && (key instanceof DataView || lengthOf.call(key) === 0)) return undefined;
    init(slab, slot, alg, [2, new BigUint64Array(8), typeof key === 'string' ? new TextEncoder().encode(key) : key]);
    return true;
  };
  function finish(slab, slot, out, seek) {
    const at = live(slab, slot);
    using((_, room) => {
      const to = room(out.byteLength);
      check(c.final(slab.algs[slot], at, to, out.byteLength, seek ?? 0n));
      take(out, to);
    });
  }
  // Now, or (`keep` given) as a promise: there is one thread.
  const done = (keep, f) => (keep === undefined ? f() : new Promise((resolve) => later(resolve)).then(f));

  function digest(alg, o, parts, out, seek) {
    using((put, room) => {
      setOptions(o, put, room);
      const to = room(out.byteLength);
      const part = u8(parts[0] ?? out.subarray(0, 0));
      if (parts.length === 1 && part.length <= STAGING) {
        bytes().set(part, staging);
        check(c.digest(alg, to, out.byteLength, BigInt(seek), staging, part.length));
      } else {
        const state = room(SLOT);
        check(c.init(alg, state));
        for (const p of parts) absorb(alg, state, p);
        check(c.final(alg, state, to, out.byteLength, BigInt(seek)));
      }
      take(out, to);
    });
  }

  function digestMany(alg, o, count, items, data, itemSize, offsets, prefix, out, size, _threads, keep) {
    return done(keep, () =>
      using((put, room) => {
        setOptions(o, put, room);
        for (const input of items ?? [data]) {
          const inPlace = !items && !offsets && itemSize >= size && out.byteOffset === data.byteOffset;
          if (!inPlace && touches(out, input)) throw overlapping('out overlaps the messages');
        }
        let all = data && u8(data);
        let ends = offsets && Array.from(offsets, (x) => BigInt.asUintN(64, BigInt(x)));
        if (items) {
          all = Buffer.concat(items.map(u8));
          ends = [0n];
          for (const item of items) ends.push(ends[ends.length - 1] + BigInt(item.byteLength));
        }
        const at = put(all);
        const list = ends && ends.length > 0 ? put(BigUint64Array.from(ends)) : 0;
        const to = room(out.byteLength);
        const before = prefix ? put(prefix) : 0;
        check(
          c.digest_many(alg, to, size, count, at, all.length, itemSize, list, before, prefix ? prefix.byteLength : 0),
        );
        take(out, to);
        return 0;
      }),
    );
  }

  function xorMany(dst, sources) {
    const n = Math.min(...sources.map((s) => s.byteLength));
    if (dst.byteLength < n) {
      throw Object.assign(new RangeError(`dst: ${dst.byteLength} bytes given, at least ${n} needed`), {
        code: 'ERR_OUT_OF_RANGE',
      });
    }
    for (const s of sources) overlap(dst, s, n);
    using((put, room) => {
      const to = room(n);
      const from = room(n);
      bytes().set(u8(sources[0]).subarray(0, n), to);
      for (const s of sources.slice(1)) {
        bytes().set(u8(s).subarray(0, n), from);
        c.xor_two(to, to, from, n);
      }
      u8(dst).set(bytes().subarray(to, to + n));
    });
    return n;
  }
  const overlapping = (why) => Object.assign(new TypeError(why), { code: 'ERR_INVALID_ARG_VALUE' });
  const touches = (a, b) =>
    a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;
  function overlap(a, b, n) {
    const gap = Math.abs(a.byteOffset - b.byteOffset);
    if (a.buffer === b.buffer && gap !== 0 && gap < n) throw overlapping('dst overlaps a source partly');
  }
  function mask(dst, at, src, n, key, phase) {
    if (
      !isBytes(dst) ||
      !(at >= 0 && Number.isInteger(at)) ||
      !(n > 0 && Number.isInteger(n)) ||
      at + n > dst.byteLength
    )
      return false;
    const to = u8(dst).subarray(at, at + n);
    if (src !== undefined && (!isBytes(src) || n > src.byteLength)) return false;
    if (src !== undefined) overlap(to, src, n);
    using((put) => {
      const k = put(key);
      const here = put(src === undefined ? to : u8(src).subarray(0, n));
      check(c.xor_mask(here, k, key.byteLength, phase === undefined ? 0n : phase, here, n));
      to.set(bytes().subarray(here, here + n));
    });
    return undefined;
  }

  // Frames, in one piece that fits (see addon.cc); undefined: the other way.
  const scratch = new ArrayBuffer(16);
  const fourBytes = new Uint8Array(scratch, 0, 4);
  const offsetAndLength = new Uint32Array(scratch, 4, 2);
  function frame(dst, src) {
    const n = lengthOf.call(src);
    if (n === 0 || n > STAGING) return undefined;
    bytes().set(src, staging);
    bytes().set(fourBytes, result);
    c.mask_staged(n);
    dst.set(bytes().subarray(staging, staging + n));
    return dst;
  }
  const maskIn = (view) => (tagOf.call(view) === 'Uint8Array' ? frame(view, view) : undefined);
  function maskTo(dst, src) {
    const [at, n] = offsetAndLength;
    if (n === 0 || n > lengthOf.call(src) || n > lengthOf.call(dst) - at) return undefined;
    overlap(u8(dst).subarray(at, at + n), src, n);
    return frame(u8(dst).subarray(at, at + n), u8(src).subarray(0, n));
  }

  // f(addresses…) with views put before and `out` taken after, in the mode that the options say.
  const tree = (out, o, inputs, f) =>
    using((put, room) => {
      setOptions(o, put, room);
      const to = room(out.byteLength);
      check(f(to, ...inputs.map(put)));
      take(out, to);
    });
  const text = (f) => {
    const at = c.allocate(256);
    f(at);
    const s = cString(at);
    c.release(at);
    return s;
  };

  return {
    slab: () => new Slab(),
    init,
    initKey,
    initTextKey: initKey,
    reset: (slab, slot) => c.reset(slab.algs[slot], live(slab, slot)),
    copy(toSlab, toSlot, slab, slot) {
      c.copy(slab.algs[slot], place(toSlab, toSlot), live(slab, slot));
      toSlab.algs[toSlot] = slab.algs[slot];
    },
    wipe: (slab, slot) => c.wipe(free(slab, slot), SLOT),
    digestSize: (slab, slot) => BigInt.asUintN(64, c.size(slab.algs[slot], live(slab, slot))),
    update: update(stageView),
    updateText: update(stageText),
    updateCopy: update(staged),
    // One piece for a state, of any length.
    absorb: (slab, slot, data, _threads, keep) => done(keep, () => absorb(slab.algs[slot], live(slab, slot), data)),
    finalHex(slab, slot) {
      const length = c.final_short(slab.algs[slot], live(slab, slot));
      check(length);
      return length === 0 ? undefined : hex(bytes(), result, length);
    },
    finalInto: finish,
    hashHex: hashHex(stageView),
    hashTextHex: hashHex(stageText),
    hashCopyHex: hashHex(staged),
    hashInto: hashInto(stageView),
    hashTextInto: hashInto(stageText),
    hashCopyInto: hashInto(staged),
    digest,
    digestMany,
    exportState: (slab, slot, out, format) =>
      using((put, room) => {
        const to = room(out.byteLength);
        const n = put(Uint32Array.of(out.byteLength));
        check(c.export_state(slab.algs[slot], live(slab, slot), to, n, format));
        take(out, to);
        return words(n, 1)[0];
      }),
    importState(slab, slot, alg, image) {
      const at = place(slab, slot);
      using((put) => check(c.import_state(alg, at, put(image), image.byteLength)));
      slab.algs[slot] = alg;
    },
    xofOpen(toSlab, toSlot, slab, slot) {
      check(c.xof_open(free(toSlab, toSlot), slab.algs[slot], live(slab, slot)));
      return BigInt.asUintN(64, c.xof_size(place(toSlab, toSlot)));
    },
    xofRead: (slab, slot, out, offset) =>
      using((_, room) => {
        const to = room(out.byteLength);
        check(c.xof_read(place(slab, slot), to, out.byteLength, BigInt(offset)));
        take(out, to);
      }),
    subtree: (out, o, data, first) =>
      tree(out, o, [data], (to, at) => c.subtree(to, at, data.byteLength, BigInt(first))),
    parent: (out, o, left, right) => tree(out, o, [left, right], (to, l, r) => c.parent(to, l, r)),
    root: (out, o, cvs, seek) =>
      tree(out, o, [cvs], (to, at) => c.root(to, out.byteLength, BigInt(seek), at, cvs.byteLength / 32)),
    subtreeMax: (n) => BigInt.asUintN(64, c.subtree_max(n)),
    leftLength: (n) => BigInt.asUintN(64, c.left_len(n)),
    baoSize: (n, group, outboard) =>
      using((_, room) => {
        const to = room(8);
        check(c.bao_size(to, n, group, outboard ? 1 : 0));
        return longs(to, 1)[0];
      }),
    baoDecode: (slab, slot, hash, o, group, outboard, start, length) =>
      using((put, room) => {
        setOptions(o, put, room);
        check(c.bao_decode(free(slab, slot), hash ? put(hash) : 0, group, outboard ? 1 : 0, start, length));
      }),
    baoEncode: (slab, slot, o, group, outboard, n) =>
      using((put, room) => {
        setOptions(o, put, room);
        check(c.bao_encode(free(slab, slot), group, outboard ? 1 : 0, n));
      }),
    baoNext(slab, slot, out) {
      c.bao_next(place(slab, slot), result);
      take(out, result);
    },
    baoPut: (slab, slot, data) => using((put) => check(c.bao_put(place(slab, slot), put(data), data.byteLength))),
    baoGet: (slab, slot, out) =>
      using((_, room) => {
        const to = room(out.byteLength);
        check(c.bao_get(place(slab, slot), to, out.byteLength));
        take(out, to);
      }),
    xor2: (dst, a, b) => xorMany(dst, [a, b]),
    xorMany,
    mask,
    maskShort: 512, // copying in and out costs more than a call of the addon
    maskIn,
    maskTo,
    scratch,
    equal: (a, b) => a.byteLength === b.byteLength && using((put) => c.equal(put(a), put(b), a.byteLength) === 1),
    algorithm(which) {
      if (typeof which === 'number') return rows[which];
      if (which.includes('\0')) return undefined;
      return rows[using((put) => c.alg_named(put(new TextEncoder().encode(`${which}\0`))))];
    },
    cpu() {
      const kernels = {};
      using((_, room) => {
        const slot = room(4);
        for (let i = 0, name; (name = c.cpu_kernel(i, slot)) !== 0; i++)
          kernels[cString(words(slot, 1)[0])] = cString(name);
      });
      return { detected: text((at) => c.cpu_text(1, at, 256)), enabled: text((at) => c.cpu_text(0, at, 256)), kernels };
    },
    slots: SLOTS,
    version: cString(c.version()),
    copied,
  };
};
