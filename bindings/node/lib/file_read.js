'use strict';
// file_read.js - the addon's updateFile by Node's own reads: for the WebAssembly module, which has no files, and on Windows,
// where a descriptor is a number of the C library that opened it, and the addon has another.
const fs = require('fs');
const { Buffer } = require('buffer');

const PIECE = 1 << 20;
const HERE = 0xffffffffffffffffn; // from the descriptor's own position

module.exports = (native) =>
  // guard(promise): the promise, given up when the caller is told to stop. The read itself goes on, and keep.reading is it.
  async function updateFile(places, fd, offset, length, threads, keep, _stop, guard) {
    const piece = Buffer.allocUnsafeSlow(PIECE);
    let total = 0;
    while (BigInt(total) < length) {
      const left = length - BigInt(total);
      const wanted = left < BigInt(PIECE) ? Number(left) : PIECE;
      const at = offset === HERE ? null : offset + BigInt(total);
      keep.reading = new Promise((resolve, reject) => {
        fs.read(fd, piece, 0, wanted, at, (error, read) => (error ? reject(error) : resolve(read)));
      });
      const n = await guard(keep.reading);
      keep.reading = undefined;
      if (n === 0) break;
      for (let i = 0; i < places.length; i += 2)
        await native.absorb(places[i], places[i + 1], piece.subarray(0, n), threads, [places[i], piece]);
      total += n;
    }
    return total;
  };
