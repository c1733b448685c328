// hash.mjs LIST ALGORITHM... - one line `index algorithm digest` for every file of the NUL-separated LIST.
import { readFileSync } from 'node:fs';
import hashcore from '../../bindings/node/index.js';

const [list, ...names] = process.argv.slice(2);
const bytes = readFileSync(list);
let index = 0;
for (let from = 0, to; (to = bytes.indexOf(0, from)) >= 0; from = to + 1) {
  const digests = await hashcore.hashFile(names, bytes.subarray(from, to), { outputEncoding: 'hex' });
  names.forEach((name, i) => console.log(`${index} ${name} ${digests[i]}`));
  index++;
}
