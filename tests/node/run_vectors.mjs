// run_vectors.mjs - runs the records of tests/vectors in Node; prints counts as JSON.
import fs from 'node:fs';
import path from 'node:path';
import { root, hashcore } from './common.mjs';
import { runAll } from './known_answers.mjs';

const dir = path.join(root, 'tests', 'vectors');
const files = fs
  .readdirSync(dir)
  .filter((n) => n.endsWith('.txt'))
  .sort()
  .map((n) => [n, fs.readFileSync(path.join(dir, n), 'latin1')]);
const seed = Number(process.env.HASHCORE_TEST_SEED ?? 20240229);
const every = Number(process.env.HASHCORE_TEST_EVERY ?? 1);
console.log(JSON.stringify({ ...runAll(hashcore, files, { seed, every }), cpu: hashcore.cpu() }));
