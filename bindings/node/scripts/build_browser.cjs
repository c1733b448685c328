'use strict';
// build_browser.cjs - makes the package's entry for browsers: one ES module that holds the WebAssembly module, and types.
//
//   node bindings/node/scripts/build_browser.cjs [output folder]
//
// `npm pack` runs it after build_wasm.cjs; without that one's result, or without esbuild, it says so and makes nothing.
const fs = require('fs');
const path = require('path');

const root = path.join(__dirname, '..', '..', '..');
const addon = path.join(root, 'bindings', 'node');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'prebuilds'));
const wasm = path.join(folder, 'hashcore.wasm');
const target = path.join(folder, 'browser.mjs');
const types = path.join(folder, 'browser.d.mts');

// What a browser has in place of Node's own.
const instead = {
  name: 'instead',
  setup(build) {
    build.onResolve({ filter: /\/(native|platform)(\.js)?$/ }, ({ path: wanted, importer }) =>
      importer.startsWith(path.join(addon, 'browser') + path.sep)
        ? undefined
        : { path: path.join(addon, 'browser', `${path.basename(wanted, '.js')}.js`) },
    );
    build.onResolve({ filter: /^hashcore\.wasm$/ }, () => ({ path: wasm }));
  },
};

// index.d.ts without Node: bytes are Uint8Arrays, streams the web's, and there are no files.
function browserTypes() {
  const text = fs
    .readFileSync(path.join(addon, 'index.d.ts'), 'utf8')
    .replace(/^.*\n/, '// browser.d.mts - types of hashcore for browsers, made of index.d.ts.\n')
    .replace(/^import .*\n/gm, '')
    .replace(/^export interface FileOptions[^]*?^\}\n/m, '')
    .replace(/^type File = .*\n/m, '')
    .replace(/^export function hashFile\([^]*?;\n/gm, '')
    .replace(/^ {2}(?:en|de)codeFile\([^]*?;\n/gm, '')
    .replace(/NodeJS\.ArrayBufferView/g, 'ArrayBufferView')
    .replace(/\bBuffer\b/g, 'Uint8Array')
    .replace(/BinaryToTextEncoding \| BufferEncoding/, 'BufferEncoding')
    .replace(' | KeyObject | webcrypto.CryptoKey', '')
    .replace('class Hash extends Transform', 'class Hash implements GenericTransformStream')
    .replace('  protected constructor();', '  protected constructor();\n  readonly readable: ReadableStream<Uint8Array>;\n  readonly writable: WritableStream;')
    .replace(/options\?: TransformOptions & /g, 'options?: ')
    .replace(/options\?: AlgorithmOptions & TransformOptions/, 'options?: AlgorithmOptions')
    .replace(/\): Readable;/, '): ReadableStream<Uint8Array>;')
    .replace(/\): Transform;/, '): GenericTransformStream;');
  return `${text}
type BufferEncoding =
  'utf8' | 'utf-8' | 'hex' | 'base64' | 'base64url' | 'latin1' | 'binary' | 'ascii' | 'ucs2' | 'ucs-2' | 'utf16le' | 'utf-16le';
declare const hashcore: typeof import('./browser.mjs');
export default hashcore;
`;
}

function build() {
  for (const file of [target, types]) fs.rmSync(file, { force: true });
  if (!fs.existsSync(wasm)) throw new Error('hashcore.wasm was not built');
  return require('esbuild')
    .build({
      entryPoints: [path.join(addon, 'browser', 'index.mjs')],
      outfile: target,
      bundle: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      minify: true,
      legalComments: 'none',
      loader: { '.wasm': 'binary' },
      plugins: [instead],
      banner: { js: '// hashcore for browsers: made by scripts/build_browser.cjs. MIT licence.' },
      logLevel: 'silent',
    })
    .then(() => fs.writeFileSync(types, browserTypes()));
}

Promise.resolve()
  .then(build)
  .catch((error) => {
    console.error(`hashcore: no browser.mjs (the package will have no entry for browsers): ${error.message.split('\n')[0]}`);
    process.exitCode = process.argv[2] ? 1 : 0;
  });
