'use strict';
// bao_file.js - Bao from file to file.
const fs = require('fs');
const { pipeline } = require('stream/promises');
const { coded, options: checked } = require('./check');
const { Walker, END, LEAF, outboardOf } = require('./bao_walker');
const { createDecoder } = require('./bao');

const OPTIONS = new Set(['group', 'key', 'deriveKeyContext', 'outboard']);

// Encodes a file into another; gives its root. Parents stand before their data, so the target is written by position.
async function encodeFile(source, target, options) {
  const o = checked(options, OPTIONS);
  const outboard = outboardOf(o);
  const from = await fs.promises.open(source, 'r');
  let to;
  let w;
  try {
    const length = (await from.stat({ bigint: true })).size;
    to = await fs.promises.open(target, 'w');
    w = Walker.encode(o, outboard, length);
    for (let kind; (kind = w.next()) !== END;) {
      const bytes = Buffer.allocUnsafe(w.size);
      if (kind === LEAF) {
        await readFull(from, bytes, Number(w.dataAt), source);
        w.put(bytes);
      } else {
        w.get(bytes);
      }
      if (kind !== LEAF || !outboard) await to.writev([bytes], Number(w.encodedAt));
    }
    return w.get(Buffer.allocUnsafe(32));
  } finally {
    w?.close();
    await from.close();
    await to?.close();
  }
}

async function readFull(handle, bytes, position, name) {
  for (let n = 0; n < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, n, bytes.length - n, position + n);
    if (bytesRead === 0) throw coded(Error, 'ERR_INVALID_STATE', `${name} became shorter while it was encoded`);
    n += bytesRead;
  }
}

// Decodes a file into another, which is removed when anything does not verify. `outboard`: its file's name.
async function decodeFile(source, target, root, options) {
  const o = { ...checked(options, OPTIONS) };
  if (o.outboard !== undefined) o.outboard = await fs.promises.readFile(o.outboard);
  const decoder = createDecoder(root, o);
  try {
    await pipeline(fs.createReadStream(source, { highWaterMark: 1 << 20 }), decoder, fs.createWriteStream(target));
  } catch (error) {
    if (error.code === 'ERR_VERIFICATION_FAILED') await fs.promises.rm(target, { force: true });
    throw error;
  }
}

module.exports = { encodeFile, decodeFile };
