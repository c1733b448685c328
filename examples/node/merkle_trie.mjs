// merkle_trie.mjs - the id of a Merkle radix trie (avalanchego's merkledb, branch factor 16), one batch a height.
//
//   node examples/node/merkle_trie.mjs [number of keys] [sha256 | blake3]
//
// A node's bytes are uvarint(children), for each child uvarint(index) and its id, then 0 or 1, uvarint(length) and the
// value's digest, then uvarint(bits of the key) and the key. Its id is their hash. Nodes of one height depend on
// lower ones only, so each height is a single call of hashMany.
import { pathToFileURL } from 'node:url';
import { hash, hashMany } from 'hashcore';

export function uvarint(n) {
  const out = [];
  for (; n >= 0x80; n = Math.floor(n / 128)) out.push((n % 128) | 0x80);
  out.push(n);
  return Buffer.from(out);
}

const nibble = (key, i) => (i % 2 ? key[i >> 1] & 15 : key[i >> 1] >> 4);

// The first `n` nibbles of a key, an odd last one padded with 0.
function prefix(key, n) {
  const out = Buffer.from(key.subarray(0, (n + 1) >> 1));
  if (n % 2) out[out.length - 1] &= 0xf0;
  return out;
}

function common(a, b, from) {
  const end = 2 * Math.min(a.length, b.length);
  let n = from;
  while (n < end && nibble(a, n) === nibble(b, n)) n++;
  return n;
}

// The trie of sorted [key, value digest] pairs as {key, nibbles, value, children: [[index, node]]}; every node is put
// into heights[its height].
export function build(pairs, heights, from = 0, to = pairs.length, depth = 0) {
  const [first, value] = pairs[from];
  const n = to - from === 1 ? 2 * first.length : common(first, pairs[to - 1][0], depth);
  const here = { key: prefix(first, n), nibbles: n, value: undefined, children: [], height: 0 };
  if (2 * first.length === n) {
    here.value = value;
    from++;
  }
  while (from < to) {
    const index = nibble(pairs[from][0], n);
    let end = from + 1;
    while (end < to && nibble(pairs[end][0], n) === index) end++;
    const child = build(pairs, heights, from, end, n + 1);
    here.children.push([index, child]);
    here.height = Math.max(here.height, child.height + 1);
    from = end;
  }
  (heights[here.height] ??= []).push(here);
  return here;
}

export function encode(node) {
  const parts = [uvarint(node.children.length)];
  for (const [index, child] of node.children) parts.push(uvarint(index), child.id);
  parts.push(
    node.value === undefined
      ? Buffer.from([0])
      : Buffer.concat([Buffer.from([1]), uvarint(node.value.length), node.value]),
  );
  parts.push(uvarint(4 * node.nibbles), node.key);
  return Buffer.concat(parts);
}

// The ids of all nodes, lowest first; a batch a height.
export function identify(algorithm, heights) {
  for (const nodes of heights) {
    const ids = hashMany(algorithm, nodes.map(encode), { outputEncoding: 'buffer' });
    nodes.forEach((node, i) => {
      node.id = ids[i];
    });
  }
}

// Values shorter than 32 bytes stand for themselves, others for their hash.
export function valueDigests(algorithm, values) {
  const long = values.filter((v) => v.length >= 32);
  const digests = hashMany(algorithm, long, { outputEncoding: 'buffer' });
  let i = 0;
  return values.map((v) => (v.length >= 32 ? digests[i++] : v));
}

// Root of the trie of `entries`, [key, value] pairs with distinct keys.
export function root(algorithm, entries) {
  const digests = valueDigests(
    algorithm,
    entries.map(([, value]) => value),
  );
  const pairs = entries.map(([key], i) => [key, digests[i]]).sort(([a], [b]) => Buffer.compare(a, b));
  const heights = [];
  const top = build(pairs, heights);
  identify(algorithm, heights);
  return { id: top.id, heights: heights.map((nodes) => nodes.length) };
}

// The entries that merkledb's own benchmark takes: key uvarint(i), value SHA-256(key).
export function entries(n) {
  const keys = Array.from({ length: n }, (_, i) => uvarint(i));
  const values = hashMany('sha256', keys, { outputEncoding: 'buffer' });
  return keys.map((key, i) => [key, values[i]]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const n = Number(process.argv[2] ?? 1000);
  const algorithm = process.argv[3] ?? 'sha256';
  const started = performance.now();
  const { id, heights } = root(algorithm, entries(n));
  console.log(`${n} keys, ${heights.join(' + ')} nodes by height, ${(performance.now() - started).toFixed(1)} ms`);
  console.log(`${algorithm} root ${id.toString('hex')}, checksum ${hash('sha256', id).slice(-8)}`);
}
