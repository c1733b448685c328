// filecoin_address.mjs - Filecoin addresses: encode a public key or an actor, decode and check an address.
//
//   node examples/node/filecoin_address.mjs ADDRESS…
//
// Protocols 1 (secp256k1) and 2 (actor) carry BLAKE2b-160 of their data, protocol 3 (BLS) the 48-byte key itself. The
// checksum is BLAKE2b-32 of the protocol byte and the payload.
import { pathToFileURL } from 'node:url';
import { equal, hash } from 'hashcore';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const PAYLOAD = { 1: 20, 2: 20, 3: 48 };

function base32(bytes) {
  let text = '';
  let bits = 0;
  let n = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (n += 8; n >= 5; n -= 5) text += ALPHABET[(bits >> (n - 5)) & 31];
    bits &= (1 << n) - 1;
  }
  return n ? text + ALPHABET[(bits << (5 - n)) & 31] : text;
}

function unbase32(text) {
  const out = [];
  let bits = 0;
  let n = 0;
  for (const digit of text) {
    const value = ALPHABET.indexOf(digit);
    if (value < 0) throw new Error(`'${digit}' is no base32 digit`);
    bits = (bits << 5) | value;
    n += 5;
    if (n >= 8) {
      out.push((bits >> (n - 8)) & 255);
      n -= 8;
    }
    bits &= (1 << n) - 1;
  }
  if (bits !== 0 || n >= 5) throw new Error('bits are left over');
  return Buffer.from(out);
}

const checksum = (protocol, payload) =>
  hash('blake2b', [Uint8Array.of(protocol), payload], { outputLength: 4, outputEncoding: 'buffer' });

// Address of a public key (protocol 1: 65 bytes, 3: 48) or of an actor's data (2).
export function encode(protocol, data, network = 'f') {
  const payload = protocol === 3 ? data : hash('blake2b', data, { outputLength: 20, outputEncoding: 'buffer' });
  if (payload.length !== PAYLOAD[protocol]) throw new Error(`protocol ${protocol}: ${data.length} bytes of data`);
  return `${network}${protocol}${base32(Buffer.concat([payload, checksum(protocol, payload)]))}`;
}

// {network, protocol, payload} of an address, or an error that says what is wrong with it.
export function decode(address) {
  const match = /^([ft])([123])(.+)$/.exec(address);
  if (!match) throw new Error('no address of protocol 1, 2 or 3');
  const protocol = Number(match[2]);
  const bytes = unbase32(match[3]);
  if (bytes.length !== PAYLOAD[protocol] + 4)
    throw new Error(`protocol ${protocol}: ${bytes.length - 4} bytes of payload`);
  const payload = bytes.subarray(0, -4);
  if (!equal(checksum(protocol, payload), bytes.subarray(-4))) throw new Error('wrong checksum');
  return { network: match[1], protocol, payload };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const addresses = process.argv.slice(2);
  if (addresses.length === 0)
    addresses.push(encode(1, Buffer.alloc(65, 4)), encode(2, 'an actor'), encode(3, Buffer.alloc(48, 1)));
  for (const address of addresses) {
    try {
      const { protocol, payload } = decode(address);
      console.log(`${address}: protocol ${protocol}, payload ${payload.toString('hex')}`);
    } catch (error) {
      console.log(`${address}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
