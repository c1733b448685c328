'use strict';
// wasm_file.js - the addon's updateFile for the WebAssembly module, which has no files: Node reads them.
const fs = require('fs');

const PIECE = 1 << 20;
const HERE = 0xffffffffffffffffn; // from the descriptor's own position

module.exports = (wasm) =>
  async function updateFile(places, fd, offset, length) {
    const piece = Buffer.allocUnsafeSlow(PIECE);
    let total = 0;
    while (BigInt(total) < length) {
      const left = length - BigInt(total);
      const wanted = left < BigInt(PIECE) ? Number(left) : PIECE;
      const at = offset === HERE ? null : offset + BigInt(total);
      const n = await new Promise((resolve, reject) => {
        fs.read(fd, piece, 0, wanted, at, (error, read) => (error ? reject(error) : resolve(read)));
      });
      if (n === 0) break;
      for (let i = 0; i < places.length; i += 2) wasm.absorb(places[i], places[i + 1], piece.subarray(0, n));
      total += n;
    }
    return total;
  };
