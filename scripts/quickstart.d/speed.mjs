// speed.mjs - lines `library algorithm bytes nanoseconds` (the least of alternating runs) for hashcore and node:crypto.
import crypto from 'node:crypto';
import hashcore from '../../bindings/node/index.js';

function least(functions, data, calls) {
  const best = functions.map(() => Infinity);
  for (let round = 0; round < 15; round++) {
    functions.forEach((f, i) => {
      const start = process.hrtime.bigint();
      for (let c = 0; c < calls; c++) f(data);
      best[i] = Math.min(best[i], Number(process.hrtime.bigint() - start) / calls);
    });
  }
  return best;
}

for (const name of ['sha256', 'blake2b', 'blake3']) {
  const theirs = { sha256: 'sha256', blake2b: 'blake2b512' }[name];
  const libraries = ['hashcore'];
  const functions = [(d) => hashcore.hash(name, d)];
  if (theirs) {
    libraries.push('node:crypto');
    functions.push(crypto.hash ? (d) => crypto.hash(theirs, d) : (d) => crypto.createHash(theirs).update(d).digest('hex'));
  }
  for (const [size, calls] of [[64, 2000], [1 << 24, 1]]) {
    least(functions, Buffer.alloc(size), calls).forEach((ns, i) => console.log(libraries[i], name, size, ns.toFixed(1)));
  }
}
