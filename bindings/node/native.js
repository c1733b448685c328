'use strict';
// native.js - finds and loads the compiled addon, else the WebAssembly module, or says what it tried.
const fs = require('fs');
const path = require('path');
const readFile = require('./lib/file_read');

const file = `${process.platform}-${process.arch}.node`;
const candidates = [
  path.join(__dirname, 'build', 'Release', 'hashcore.node'),
  path.join(__dirname, '..', '..', 'prebuilds', file),
];
if (process.platform === 'linux') {
  candidates.push(path.join(__dirname, '..', '..', 'prebuilds', `linuxmusl-${process.arch}.node`));
}

const wasm = process.env.HASHCORE_WASM || path.join(__dirname, '..', '..', 'prebuilds', 'hashcore.wasm');

function loadWasm() {
  const module = require('./wasm')(fs.readFileSync(wasm));
  module.updateFile = readFile(module);
  return module;
}

function load() {
  const tried = [];
  if (process.env.HASHCORE_WASM) return loadWasm(); // asked for: nothing else will do
  for (const candidate of candidates) {
    try {
      return require(candidate);
    } catch (error) {
      // The addon itself refuses a bad HASHCORE_CPU: nothing else would do better.
      if (error.code === 'ERR_INVALID_ARG_VALUE') throw error;
      const missing = error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_MODULE_NOT_FOUND';
      tried.push(`  ${candidate}: ${missing ? 'no such file' : error.message}`);
    }
  }
  try {
    return loadWasm();
  } catch (error) {
    if (error.code === 'ERR_INVALID_ARG_VALUE') throw error;
    tried.push(`  ${wasm}: ${error.code === 'ENOENT' ? 'no such file' : error.message}`);
  }
  const error = new Error(
    `hashcore: no addon for ${process.platform}-${process.arch}, ${process.release.name} ${process.version}. Tried:\n` +
      `${tried.join('\n')}\nIn a checkout run \`npm install\`; it needs a C++ compiler, make and Python 3.`,
  );
  error.code = 'ERR_DLOPEN_FAILED';
  throw error;
}

const native = load();
module.exports = process.platform === 'win32' ? { ...native, updateFile: readFile(native) } : native;
