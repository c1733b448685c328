'use strict';
// native.js - in place of the addon: the WebAssembly module, which the bundle holds.
module.exports = require('../wasm')(require('hashcore.wasm'));
