// run_vectors.mjs - runs every record of tests/vectors in every way that there is to compute it; prints counts as JSON.
import fs from 'node:fs';
import path from 'node:path';
import assert from 'node:assert/strict';
import { root, hashcore, mod251, random } from './common.mjs';

const SEED = Number(process.env.HASHCORE_TEST_SEED ?? 20240229);
const below = random(SEED);
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

function bytes(value) {
  const pattern = /^(mod251|zero) (\d+)$/.exec(value);
  if (!pattern) return Buffer.from(value, 'hex');
  const n = Number(pattern[2]);
  return pattern[1] === 'zero' ? Buffer.alloc(n) : mod251(n);
}

function* records(dir) {
  for (const name of fs
    .readdirSync(dir)
    .filter((n) => n.endsWith('.txt'))
    .sort()) {
    const text = fs.readFileSync(path.join(dir, name), 'latin1');
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
}

function options(r) {
  const o = {};
  if (r.digest_size !== undefined) o.outputLength = r.digest_size === 'unknown' ? Infinity : Number(r.digest_size);
  for (const [name, ours] of Object.entries(BYTES)) if (r[name] !== undefined) o[ours] = bytes(r[name]);
  for (const [name, ours] of Object.entries(TREE)) if (r[name] !== undefined) o[ours] = BigInt(r[name]);
  return o;
}

function digest(r) {
  const input = bytes(r.input);
  const wanted = r.output;
  const length = wanted.length / 2;
  const o = options(r);
  const xof = r.alg === 'blake3' || r.alg === 'blake2xb';
  const how = xof ? { outputEncoding: 'hex', length, seek: BigInt(r.seek ?? 0) } : 'hex';
  const check = (got, way) => assert.equal(got, wanted, `${r.where} ${way}, seed ${SEED}`);
  const make = () => hashcore.createHash(r.alg, o);

  // Whole; the digest's buffer form, again after reset.
  const h = make().update(input);
  check(h.digest(how), 'whole');
  h.reset().update(input);
  check((xof ? h.digest({ ...how, outputEncoding: 'buffer' }) : h.digest()).toString('hex'), 'after reset');
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
    const target = Buffer.alloc(length + 9, 0xee);
    const into = { ...once };
    delete into.outputEncoding;
    assert.equal(hashcore.digestInto(r.alg, input, target, 4, into), length);
    check(target.toString('hex', 4, length + 4), 'into');
    assert.ok(target.subarray(0, 4).every((x) => x === 0xee) && target.subarray(length + 4).every((x) => x === 0xee));
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
    if (i >= turn) {
      if (i > turn) twin.update(input.subarray(at - n, at));
    }
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

function xorAnswer(r, out) {
  if (r.output !== undefined) assert.equal(out.toString('hex'), r.output, r.where);
  else assert.equal(hashcore.hash('sha256', out), r.output_sha256, r.where);
}

function xor(r) {
  const sources = Object.keys(r)
    .filter((k) => /^[a-z]$/.test(k))
    .sort()
    .map((k) => bytes(r[k]));
  const out = hashcore.xor(...sources);
  xorAnswer(r, out);
  const shift = below(64);
  const target = Buffer.alloc(shift + out.length + 8, 0xee);
  assert.equal(hashcore.xorInto(target.subarray(shift, shift + out.length), ...sources), out.length);
  assert.ok(target.subarray(shift, shift + out.length).equals(out));
  assert.ok(
    target.subarray(0, shift).every((x) => x === 0xee) && target.subarray(shift + out.length).every((x) => x === 0xee),
  );
  const inPlace = Buffer.from(sources[0]);
  hashcore.xorInto(inPlace, inPlace, ...sources.slice(1));
  assert.ok(inPlace.equals(out), r.where);
}

function xorMask(r) {
  const input = bytes(r.input);
  const key = bytes(r.key);
  const out = Buffer.alloc(input.length);
  assert.equal(hashcore.xorMask(out, input, key, BigInt(r.offset)), input.length);
  xorAnswer(r, out);
  hashcore.xorMask(input, input, key, BigInt(r.offset));
  assert.ok(input.equals(out), r.where);
}

let run = 0;
let skipped = 0;
let seen = 0;
const EVERY = Number(process.env.HASHCORE_TEST_EVERY ?? 1); // every n-th record, where all would take too long
const ops = { digest, xor, xor_mask: xorMask };
for (const r of records(path.join(root, 'tests', 'vectors'))) {
  const op = ops[r.op ?? 'digest'];
  if (op === undefined) {
    skipped++;
    continue;
  }
  if (++seen % EVERY !== 0) continue;
  op(r);
  run++;
}
console.log(JSON.stringify({ run, skipped, cpu: hashcore.cpu() }));
