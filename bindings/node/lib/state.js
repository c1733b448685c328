'use strict';
// state.js - places for hash states: slots of native slabs, which no JavaScript can read or write.
const native = require('../native');

// A slot is a plain {slab, slot}. The slab lives as long as one of its slots does and is wiped when it goes.
let slab;
let next = native.slots;
const spare = []; // slots whose state holds no secret and is not needed any more

function fresh() {
  if (next === native.slots) {
    slab = native.slab();
    next = 0;
  }
  return { slab, slot: next++ };
}

const acquire = () => spare.pop() ?? fresh();

function release(place) {
  if (spare.length < 64) spare.push(place);
}

// What held a key leaves nothing behind.
function discard(place) {
  native.wipe(place.slab, place.slot);
  release(place);
}

module.exports = { acquire, release, discard };
