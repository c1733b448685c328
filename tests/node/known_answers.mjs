// known_answers.mjs - reads records of tests/vectors and computes each in every way that there is; needs no Node, so that
// browsers run it too.
const TREE = {
  fanout: 'fanout',
  depth: 'depth',
  leaf_size: 'leafSize',
  node_offset: 'nodeOffset',
  node_depth: 'nodeDepth',
  inner_size: 'innerSize',
  last_node: 'lastNode',
};
const BYTES = { key: 'key', salt: 'salt', person: 'person', derive_key_context: 'deriveKeyContext' };
const SHORT = 130;

const HEX = Array.from({ length: 256 }, (_, i) => (i + 256).toString(16).slice(1));
export const hex = (view) => Array.from(view, (x) => HEX[x]).join('');
export const fromHex = (text) =>
  Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
// Byte i is i % 251.
export const mod251 = (n) => Uint8Array.from({ length: n }, (_, i) => i % 251);

// A small generator with a seed that failures print (xorshift32).
export function random(seed) {
  let x = seed >>> 0 || 1;
  return (n) => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>>= 0) % n;
  };
}

function equal(got, wanted, message) {
  if (got !== wanted) throw new Error(`${message}: ${got} where ${wanted} is right`);
}
const same = (a, b, message) => equal(hex(a), hex(b), message);
const filled = (view, x) => view.every((v) => v === x);

function bytes(value) {
  const pattern = /^(mod251|zero) (\d+)$/.exec(value);
  if (!pattern) return fromHex(value);
  const n = Number(pattern[2]);
  return pattern[1] === 'zero' ? new Uint8Array(n) : mod251(n);
}

// The records of one file.
export function* records(name, text) {
  let line = 0;
  let record = null;
  for (const row of text.split('\n')) {
    line++;
    if (row.startsWith('#')) continue;
    const at = row.indexOf(' =');
    if (at < 0) {
      if (record) yield record;
      record = null;
      continue;
    }
    record ??= { where: `${name}:${line}` };
    record[row.slice(0, at)] = row.slice(at + 2).trim();
  }
  if (record) yield record;
}

function options(r) {
  const o = {};
  if (r.digest_size !== undefined) o.outputLength = r.digest_size === 'unknown' ? Infinity : Number(r.digest_size);
  for (const [name, ours] of Object.entries(BYTES)) if (r[name] !== undefined) o[ours] = bytes(r[name]);
  for (const [name, ours] of Object.entries(TREE)) if (r[name] !== undefined) o[ours] = BigInt(r[name]);
  return o;
}

function digest(hashcore, r, below, seed) {
  const input = bytes(r.input);
  const wanted = r.output;
  const length = wanted.length / 2;
  const o = options(r);
  const xof = r.alg === 'blake3' || r.alg === 'blake2xb';
  const how = xof ? { outputEncoding: 'hex', length, seek: BigInt(r.seek ?? 0) } : 'hex';
  const check = (got, way) => equal(got, wanted, `${r.where} ${way}, seed ${seed}`);
  const make = () => hashcore.createHash(r.alg, o);

  // Whole; the digest's binary form, again after reset.
  const h = make().update(input);
  check(h.digest(how), 'whole');
  h.reset().update(input);
  check(hex(xof ? h.digest({ ...how, outputEncoding: 'buffer' }) : h.digest()), 'after reset');
  // One-shots: whole, and in parts.
  const once = { ...o, outputEncoding: 'hex' };
  if (xof) once.seek = BigInt(r.seek ?? 0);
  if (r.alg === 'blake3') once.outputLength = length;
  if (r.alg === 'blake3' || (r.seek === undefined && o.outputLength !== Infinity)) {
    check(hashcore.hash(r.alg, input, once), 'one-shot');
    const a = below(input.length + 1);
    const b = a + below(input.length - a + 1);
    check(
      hashcore.hash(r.alg, [input.subarray(0, a), input.subarray(a, b), input.subarray(b)], once),
      `parts ${a} ${b}`,
    );
    const target = new Uint8Array(length + 9).fill(0xee);
    const into = { ...once };
    delete into.outputEncoding;
    equal(hashcore.digestInto(r.alg, input, target, 4, into), length, `${r.where} into`);
    check(hex(target.subarray(4, length + 4)), 'into');
    equal(filled(target.subarray(0, 4), 0xee) && filled(target.subarray(length + 4), 0xee), true, `${r.where} around`);
  }
  // Random pieces, with a copy and an image taken on the way.
  const p = make();
  let twin;
  let image;
  const turn = below(3);
  for (let at = 0, i = 0; at < input.length || i === 0; i++) {
    const n = Math.min(input.length - at, below(4) ? below(200) : below(3000) + below(2) * 65536);
    p.update(input.subarray(at, at + n));
    at += n;
    if (i === turn) {
      twin = p.copy();
      image = [hashcore.importState(r.alg, p.exportState()), at];
    }
    if (i > turn) twin.update(input.subarray(at - n, at));
  }
  check(p.digest(how), 'pieces');
  if (twin) check(twin.digest(how), 'copy amid pieces');
  if (image) check(image[0].update(input.subarray(image[1])).digest(how), 'import amid pieces');
  if (input.length <= SHORT) {
    const one = make();
    for (let i = 0; i <= input.length; i++) {
      check(one.copy().update(input.subarray(i)).digest(how), `copy at ${i}`);
      one.update(input.subarray(i, i + 1));
    }
    check(one.digest(how), 'byte by byte');
  }
}

function xorAnswer(hashcore, r, out) {
  if (r.output !== undefined) equal(hex(out), r.output, r.where);
  else equal(hashcore.hash('sha256', out), r.output_sha256, r.where);
}

function xor(hashcore, r, below) {
  const sources = Object.keys(r)
    .filter((k) => /^[a-z]$/.test(k))
    .sort()
    .map((k) => bytes(r[k]));
  const out = hashcore.xor(...sources);
  xorAnswer(hashcore, r, out);
  const shift = below(64);
  const end = shift + out.length;
  const target = new Uint8Array(end + 8).fill(0xee);
  equal(hashcore.xorInto(target.subarray(shift, end), ...sources), out.length, r.where);
  same(target.subarray(shift, end), out, `${r.where} into, shifted by ${shift}`);
  equal(filled(target.subarray(0, shift), 0xee) && filled(target.subarray(end), 0xee), true, `${r.where} around`);
  const inPlace = sources[0].slice();
  hashcore.xorInto(inPlace, inPlace, ...sources.slice(1));
  same(inPlace, out, `${r.where} in place`);
}

function xorMask(hashcore, r) {
  const input = bytes(r.input);
  const key = bytes(r.key);
  const out = new Uint8Array(input.length);
  equal(hashcore.xorMask(out, input, key, BigInt(r.offset)), input.length, r.where);
  xorAnswer(hashcore, r, out);
  hashcore.xorMask(input, input, key, BigInt(r.offset));
  same(input, out, `${r.where} in place`);
}

const ops = { digest, xor, xor_mask: xorMask };

// files: [name, text] of each. every: each n-th record only, where all would take too long. {run, skipped}
export function runAll(hashcore, files, { seed = 20240229, every = 1 } = {}) {
  const below = random(seed);
  let run = 0;
  let skipped = 0;
  let seen = 0;
  for (const [name, text] of files) {
    for (const r of records(name, text)) {
      const op = ops[r.op ?? 'digest'];
      if (op === undefined) {
        skipped++;
      } else if (++seen % every === 0) {
        op(hashcore, r, below, seed);
        run++;
      }
    }
  }
  return { run, skipped };
}
