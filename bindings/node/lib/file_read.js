'use strict';
// file_read.js - the addon's updateFile by Node's own reads: for the WebAssembly module, which has no files, and on Windows,
// where a descriptor is a number of the C library that opened it, and the addon has another.
const fs = require('fs');
const { Buffer } = require('buffer');

const PIECE = 1 << 20;
const HERE = 0xffffffffffffffffn; // from the descriptor's own position

module.exports = (native) =>
  async function updateFile(places, fd, offset, length, threads) {
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
      for (let i = 0; i < places.length; i += 2)
        await native.absorb(places[i], places[i + 1], piece.subarray(0, n), threads, [places[i], piece]);
      total += n;
    }
    return total;
  };
