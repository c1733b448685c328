// examples.test.mjs - the examples give the values that the systems they are of give.
import test from 'node:test';
import assert from 'node:assert/strict';
import path from 'node:path';
import { node, root as checkout } from './common.mjs';
import * as trie from '../../examples/node/merkle_trie.mjs';
import * as filecoin from '../../examples/node/filecoin_address.mjs';

// Ids of merkledb's nodes, as its benchmark names them.
const NODES = {
  sha256: {
    empty_node: '709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c',
    has_value: 'fe318e84f0535833fb3bf7a3714a52642fbd0d17279bfc22b1baec0e3e7b0194',
    has_key: 'fc6587cf678733b4adb458b03b52be5d6068210749a6b18b5e11587e16e776bb',
    '1_child': '47e3823b19d4b133d4eb9eacf19976d39923c434c6db6f95131635bcf8a002d8',
    '2_children': '4783fbc68d966ca56c8ff812ba83e4be5e361743b89b78df6e6ad38335730c1c',
    '16_children': '0a52eda52af8012286851a9107e3ead3a0ab2e1abf36a28f3f63b09e043be8c1',
  },
  blake3: {
    empty_node: '91525ff00a3755a8df93c626b59f6e36cf021d85ebccecdedc38f3f1890a15fc',
    has_value: '0fbd2ece1cb1b8dd1b23d8af59db6afd384856a4e32ea1869ea4873b32c2911d',
    has_key: '600649ba68220402d041c7274d89521475f6368a5b4cafc76875d2e6357de053',
    '1_child': 'ee3bf8506b1473755a0b76bc7a79e457d49cfb70e9f0d32d285135bbf9bf0d41',
    '2_children': '2f2bf6c16613d66515ddb3a2359a25c0fd8caa3ed2343a35941c9c7923784d42',
    '16_children': '4a6dfbb952d5ccb46bc19bdcde46c3f19c0d4c1804fe3dbb5921e4513d85479c',
  },
};
// Roots of its tries of n keys.
const ROOTS = {
  sha256: {
    1: '9841ed7d0b2a2ebb35b09ee859099b437d99086a6ed720a54fd8b868b47e3dca',
    10: 'b6465f2f0d2276e2973d1d56e87e29b9d676f91bde534bac7b075fb8f3a1a728',
    100: '2b990486ebedb4f2bd4eba924dcf6ee59112fd69edef170f75b2249eac811c12',
    1000: 'bcaee17f6ee69de51c88f8a23af2a51605f5ab56fa0388488323cadf3db924f7',
    10000: '7b2a56b4546c727ba3c90859caa62812f36f6c9b907d7827b2005eb2cf760275',
    100000: 'a12334bda30987fa635490db8ec891003d78f21568dd5033832f5cb14447d067',
  },
  blake3: {
    1: 'f41f6ff562fda1813d44886aca543f81029d1070f788e12e6c38dd7c7977e90e',
    10: 'db371132a7299685cc16c716319058f4f9e3fde503e5bf8b344e8c9ba914d08b',
    100: '250236a1a28ac49072a0d3b52b62892bae4c05b44d2f1351e2d6224efacd8d1d',
    1000: 'fed8464d12b6362ca442537fa1111f917648b8b974de1ff597f162a67a52809c',
    10000: 'a1d66bd23e920b7ace40a83d4fde8c3de3a4d9ac443a83fdc8f0d17f0b7fc3a1',
    100000: 'fc5d71ff9c047b39744515f23ea7c607dd4b4b8f457cbd1158cd02751273a947',
  },
};
// Protocol, data and address of go-address's own tests.
const ADDRESSES = [
  [
    1,
    '049402fac37e6432a416a3a0ca5426b5185ab3b24f6134efa25ce487c82d2e4e13bf452511e0d2245421f8613bc10d72fa216666a96c3bc13920d3ff233fd0bc05',
    'f15ihq5ibzwki2b4ep2f46avlkrqzhpqgtga7pdrq',
  ],
  [
    1,
    '047687b910379bf28cbe3aea674b12000c6b7dba46ffc05f6c94fe2a22bbcc2602ff7f5c76f21ca55d36959152b0e1e887917c393576eef093f61ebd3ad06f7fda',
    'f12fiakbhe2gwd5cnmrenekasyn6v5tnaxaqizq6a',
  ],
  [
    1,
    '04defdd01001efb86e01ded5ce34f847a73a14819ee641bcb60bb92993596f05dc2d605f2985f8d125812dac4163a396349b23c11cc2ff359de54be287ea62319b',
    'f1wbxhu3ypkuo6eyp6hjx6davuelxaxrvwb2kuwva',
  ],
  [
    1,
    '0403ed12c814b6b10d2ee09d95b4688db2d180d0a9a37a6b6a7db63d29811ee9730479d8ef9139e91249cabd393291cfe5d277ba76de45e3e085a37681bf3645d2',
    'f1xtwapqc6nh4si2hcwpr3656iotzmlwumogqbuaa',
  ],
  [
    1,
    '04f796819a8e271631af7c189797b545d60225936147e6010e6562b3ce9efe8b10144161a91ed0b4ec890800253fa6fc20ac90fbf1fbf27130a4ecc3e403b70576',
    'f1xcbgdhkgkwht3hrrnui3jdopeejsoatkzmoltqy',
  ],
  [
    1,
    '0442832bf87cce9ea345b90350de7d3495859ca449059c5e88dde74285dffb9ec01ebabc5fc86268cfeaeba7ae05bfb8d68eb75a5268782cf86fc8702bef8a1fe0',
    'f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy',
  ],
  [2, '76128190cdf068d1418044acc03e0b6781970d60', 'f24vg6ut43yw2h2jqydgbg2xq7x6f4kub3bg6as6i'],
  [2, '2cafb8e2e06bba98ea657c5cf5f42023aa23e88e', 'f25nml2cfbljvn4goqtclhifepvfnicv6g7mfmmvq'],
  [2, '022c9e0ea29d8f40c56abec35c8d587da0a64c18', 'f2nuqrg7vuysaue2pistjjnt3fadsdzvyuatqtfei'],
  [2, 'dfec030e204f0f59d80f1d5ee91dfd066d7f63bd', 'f24dd4ox4c2vpf5vk5wkadgyyn6qtuvgcpxxon64a'],
  [2, '3d3a89e8ddab547832716c6d468c3560c9f47fd8', 'f2gfvuyh7v2sx3patm5k23wdzmhyhtmqctasbr23y'],
  [
    3,
    'ad58df696e2d4e91ea86c881e938ba4ea81b395e12797b84b9cf314b9546705e839c7a99d606b247ddb4f9ac7a3414dd',
    'f3vvmn62lofvhjd2ugzca6sof2j2ubwok6cj4xxbfzz4yuxfkgobpihhd2thlanmsh3w2ptld2gqkn2jvlss4a',
  ],
  [
    3,
    'b3294f0a2e29e0c66ebc235d2fedca5697bf784af605c75af608e6a63d5cd38ea85ca8989e0efde9188b382f9372460d',
    'f3wmuu6crofhqmm3v4enos73okk2l366ck6yc4owxwbdtkmpk42ohkqxfitcpa57pjdcftql4tojda2poeruwa',
  ],
  [
    3,
    '96a1a3e4ea7a14d49985e661b22401d44fed402d1d0925b243c923589c0fbc7e32cd04e29ed78d15d37d3aaa3fe6da33',
    'f3s2q2hzhkpiknjgmf4zq3ejab2rh62qbndueslmsdzervrhapxr7dftie4kpnpdiv2n6tvkr743ndhrsw6d3a',
  ],
  [
    3,
    '86b454258c589475f7d16f5aac018a79f6c1169d20fc33921dd8b5ce1cac6c348f90a3603624f6aeb91b64518c2e8095',
    'f3q22fijmmlckhl56rn5nkyamkph3mcfu5ed6dheq53c244hfmnq2i7efdma3cj5voxenwiummf2ajlsbxc65a',
  ],
  [
    3,
    'a7726b038022f75a384617585360cee629070a2d9d28712965e5f26ecc40858382803724ed34f2720336f09db631f074',
    'f3u5zgwa4ael3vuocgc5mfgygo4yuqocrntuuhcklf4xzg5tcaqwbyfabxetwtj4tsam3pbhnwghyhijr5mixa',
  ],
];

function node16(algorithm, key, value, children = []) {
  const [digest] = value === undefined ? [undefined] : trie.valueDigests(algorithm, [Buffer.from(value)]);
  const bytes = Buffer.from(key, 'hex');
  const made = { key: bytes, nibbles: 2 * bytes.length, value: digest, children };
  trie.identify(algorithm, [[made]]);
  return made;
}

for (const algorithm of ['sha256', 'blake3']) {
  test(`merkle_trie: the 6 nodes and 6 roots, ${algorithm}`, () => {
    const leaf = (key, value) => node16(algorithm, key, value);
    const cases = {
      empty_node: node16(algorithm, ''),
      has_value: node16(algorithm, '', 'value1'),
      has_key: node16(algorithm, '0001020304050607'),
      '1_child': node16(algorithm, '', undefined, [[15, leaf('ff', 'value1')]]),
      '2_children': node16(algorithm, '', undefined, [
        [14, leaf('ed', 'value2')],
        [15, leaf('ff', 'value1')],
      ]),
      '16_children': node16(
        algorithm,
        '',
        undefined,
        Array.from({ length: 16 }, (_, i) => [i, leaf(`${i.toString(16)}0`, 'some value')]),
      ),
    };
    for (const [name, made] of Object.entries(cases))
      assert.equal(made.id.toString('hex'), NODES[algorithm][name], name);
    for (const [n, wanted] of Object.entries(ROOTS[algorithm])) {
      assert.equal(trie.root(algorithm, trie.entries(Number(n))).id.toString('hex'), wanted, `${n} keys`);
    }
  });
}

test('filecoin_address: 16 addresses, encoded and checked', () => {
  for (const [protocol, data, address] of ADDRESSES) {
    assert.equal(filecoin.encode(protocol, Buffer.from(data, 'hex')), address);
    const { network, protocol: p, payload } = filecoin.decode(address);
    assert.equal(network, 'f');
    assert.equal(p, protocol);
    if (protocol === 3) assert.equal(payload.toString('hex'), data);
    for (let i = 2; i < address.length; i += 5) {
      const broken = address.slice(0, i) + (address[i] === 'a' ? 'b' : 'a') + address.slice(i + 1);
      assert.throws(() => filecoin.decode(broken));
    }
    assert.throws(() => filecoin.decode(address.slice(0, -1)));
    assert.throws(() => filecoin.decode(`${address}a`));
  }
  assert.throws(() => filecoin.encode(3, Buffer.alloc(47)));
});

test('both run as programs', () => {
  const at = (name) => path.join(checkout, 'examples', 'node', name);
  assert.match(node([at('merkle_trie.mjs'), '10']).stdout, new RegExp(ROOTS.sha256[10]));
  const r = node([at('filecoin_address.mjs'), ADDRESSES[0][2], 'f1nonsense']);
  assert.equal(r.status, 1);
  assert.match(r.stdout, /protocol 1, payload ea0f0ea039b291a0f08fd179e0556a8c3277c0d3/);
});
