'use strict';
// build.cjs - compiles the addon with node-gyp and the running Node's own headers, and copies it to prebuilds/.
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const root = path.join(__dirname, '..', '..', '..');
const addon = path.join(root, 'bindings', 'node');
const windows = process.platform === 'win32';

function fail(message) {
  console.error(`hashcore: ${message}`);
  process.exit(1);
}

function run(command, args, options) {
  const result = spawnSync(command, args, { stdio: 'inherit', cwd: root, ...options });
  if (result.error) fail(`cannot start ${command}: ${result.error.message}`);
  return result.status === null ? 1 : result.status;
}

// The directory that holds include/node of this very Node version; never a download.
function headers() {
  const named = process.env.npm_config_nodedir || process.env.npm_package_config_node_gyp_nodedir;
  const places = [
    named,
    path.resolve(path.dirname(process.execPath), '..'),
    path.dirname(process.execPath),
    '/usr',
    '/usr/local',
  ];
  for (const place of places.filter(Boolean)) {
    try {
      const text = fs.readFileSync(path.join(place, 'include', 'node', 'node_version.h'), 'utf8');
      const part = (name) => (new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(text) || [])[1];
      if (`v${part('MAJOR')}` === process.version.split('.')[0]) return place;
    } catch {
      // not there: the next one
    }
  }
  return fail(
    `no headers of Node ${process.version} beside ${process.execPath} or in /usr/include/node. Install them ` +
      '(Debian: libnode-dev) or set npm_config_nodedir to the folder that holds include/node',
  );
}

// npm's own node-gyp: the one npm names, or the one beside npm, or one installed here.
function nodeGyp() {
  const prefix = path.resolve(path.dirname(process.execPath), '..');
  const inNpm = path.join('node_modules', 'node-gyp', 'bin', 'node-gyp.js');
  const places = [
    process.env.npm_config_node_gyp,
    process.env.npm_execpath && path.join(path.dirname(process.env.npm_execpath), '..', inNpm),
    path.join(root, inNpm),
    path.join(prefix, 'lib', 'node_modules', 'npm', inNpm),
    path.join(path.dirname(process.execPath), 'node_modules', 'npm', inNpm),
    '/usr/share/nodejs/node-gyp/bin/node-gyp.js',
  ];
  return (
    places.filter(Boolean).find((place) => fs.existsSync(place)) ||
    fail('node-gyp not found: run this through npm (npm install, or npm run build)')
  );
}

// npm prepares a linked or packed folder before it installs what that folder needs.
function nodeAddonApi() {
  const found = () => {
    try {
      return require.resolve('node-addon-api/package.json', { paths: [root] });
    } catch {
      return undefined;
    }
  };
  if (found()) return;
  const wanted = require(path.join(root, 'package.json')).devDependencies['node-addon-api'];
  const args = ['install', '--no-save', '--ignore-scripts', '--no-package-lock', `node-addon-api@${wanted}`];
  const npm = process.env.npm_execpath;
  const status = npm
    ? run(process.execPath, [npm, ...args])
    : run(windows ? 'npm.cmd' : 'npm', args, { shell: windows });
  if (status !== 0 || !found()) fail('node-addon-api could not be installed');
}

function build() {
  nodeAddonApi();
  const nodedir = headers();
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (/^npm_config_nodedir$/i.test(name)) delete env[name];
  const gyp = nodeGyp();
  const configured = fs.existsSync(path.join(addon, 'build', 'config.gypi'));
  const stamp = path.join(addon, 'build', 'node-version');
  const same = configured && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === process.version;
  const args = [gyp, '-C', addon, `--nodedir=${nodedir}`, '--loglevel=error'];
  // Another Node's build folder is made anew; otherwise only what changed is compiled.
  if (
    run(process.execPath, [...args, same ? 'configure' : 'rebuild'], { env }) !== 0 ||
    run(process.execPath, [...args, 'build'], { env }) !== 0
  ) {
    fail('the addon did not compile (it needs a C++17 compiler, make and Python 3)');
  }
  fs.writeFileSync(stamp, process.version);
  const prebuilds = path.join(root, 'prebuilds');
  const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  const tag = `${musl ? 'linuxmusl' : process.platform}-${process.arch}`;
  fs.mkdirSync(prebuilds, { recursive: true });
  fs.copyFileSync(path.join(addon, 'build', 'Release', 'hashcore.node'), path.join(prebuilds, `${tag}.node`));
}

build();
