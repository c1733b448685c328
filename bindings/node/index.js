'use strict';
// index.js - hashcore for Node: node:crypto's habits, and batches, trees, Bao, files and XOR beside them.
const api = require('./lib/api');
const { hashFile } = require('./lib/file');
const baoFile = require('./lib/bao_file');

module.exports = { ...api, hashFile, bao: { ...api.bao, ...baoFile } };
