-- test_examples.lua - the examples give the ids, roots and addresses that the systems they copy publish.
local T = require "harness"
local hashcore = require "hashcore"
local eq, ok = T.eq, T.ok

-- Examples do their demonstration only when they are the script that was started.
local function example(name) return dofile(T.root .. "examples/lua/" .. name .. ".lua") end

-- merkledb's own node ids (sha256, blake3) and roots of its test tries of so many keys.
local node_ids = {
    ["empty_node"] = { "709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c",
        "91525ff00a3755a8df93c626b59f6e36cf021d85ebccecdedc38f3f1890a15fc" },
    ["has_value"] = { "fe318e84f0535833fb3bf7a3714a52642fbd0d17279bfc22b1baec0e3e7b0194",
        "0fbd2ece1cb1b8dd1b23d8af59db6afd384856a4e32ea1869ea4873b32c2911d" },
    ["has_key"] = { "fc6587cf678733b4adb458b03b52be5d6068210749a6b18b5e11587e16e776bb",
        "600649ba68220402d041c7274d89521475f6368a5b4cafc76875d2e6357de053" },
    ["1_child"] = { "47e3823b19d4b133d4eb9eacf19976d39923c434c6db6f95131635bcf8a002d8",
        "ee3bf8506b1473755a0b76bc7a79e457d49cfb70e9f0d32d285135bbf9bf0d41" },
    ["2_children"] = { "4783fbc68d966ca56c8ff812ba83e4be5e361743b89b78df6e6ad38335730c1c",
        "2f2bf6c16613d66515ddb3a2359a25c0fd8caa3ed2343a35941c9c7923784d42" },
    ["16_children"] = { "0a52eda52af8012286851a9107e3ead3a0ab2e1abf36a28f3f63b09e043be8c1",
        "4a6dfbb952d5ccb46bc19bdcde46c3f19c0d4c1804fe3dbb5921e4513d85479c" },
}
local roots = {
    { 1, 1, "9841ed7d0b2a2ebb35b09ee859099b437d99086a6ed720a54fd8b868b47e3dca",
        "f41f6ff562fda1813d44886aca543f81029d1070f788e12e6c38dd7c7977e90e" },
    { 10, 11, "b6465f2f0d2276e2973d1d56e87e29b9d676f91bde534bac7b075fb8f3a1a728",
        "db371132a7299685cc16c716319058f4f9e3fde503e5bf8b344e8c9ba914d08b" },
    { 100, 108, "2b990486ebedb4f2bd4eba924dcf6ee59112fd69edef170f75b2249eac811c12",
        "250236a1a28ac49072a0d3b52b62892bae4c05b44d2f1351e2d6224efacd8d1d" },
    { 1000, 1145, "bcaee17f6ee69de51c88f8a23af2a51605f5ab56fa0388488323cadf3db924f7",
        "fed8464d12b6362ca442537fa1111f917648b8b974de1ff597f162a67a52809c" },
    { 10000, 10785, "7b2a56b4546c727ba3c90859caa62812f36f6c9b907d7827b2005eb2cf760275",
        "a1d66bd23e920b7ace40a83d4fde8c3de3a4d9ac443a83fdc8f0d17f0b7fc3a1" },
    { 100000, 118577, "a12334bda30987fa635490db8ec891003d78f21568dd5033832f5cb14447d067",
        "fc5d71ff9c047b39744515f23ea7c607dd4b4b8f457cbd1158cd02751273a947" },
}
local algorithms = { "sha256", "blake3" }

-- Protocol, data, address.
local addresses = {
    { 1, "049402fac37e6432a416a3a0ca5426b5185ab3b24f6134efa25ce487c82d2e4e"
        .. "13bf452511e0d2245421f8613bc10d72fa216666a96c3bc13920d3ff233fd0bc05",
        "f15ihq5ibzwki2b4ep2f46avlkrqzhpqgtga7pdrq" },
    { 1, "047687b910379bf28cbe3aea674b12000c6b7dba46ffc05f6c94fe2a22bbcc26"
        .. "02ff7f5c76f21ca55d36959152b0e1e887917c393576eef093f61ebd3ad06f7fda",
        "f12fiakbhe2gwd5cnmrenekasyn6v5tnaxaqizq6a" },
    { 1, "04defdd01001efb86e01ded5ce34f847a73a14819ee641bcb60bb92993596f05"
        .. "dc2d605f2985f8d125812dac4163a396349b23c11cc2ff359de54be287ea62319b",
        "f1wbxhu3ypkuo6eyp6hjx6davuelxaxrvwb2kuwva" },
    { 1, "0403ed12c814b6b10d2ee09d95b4688db2d180d0a9a37a6b6a7db63d29811ee9"
        .. "730479d8ef9139e91249cabd393291cfe5d277ba76de45e3e085a37681bf3645d2",
        "f1xtwapqc6nh4si2hcwpr3656iotzmlwumogqbuaa" },
    { 1, "04f796819a8e271631af7c189797b545d60225936147e6010e6562b3ce9efe8b"
        .. "10144161a91ed0b4ec890800253fa6fc20ac90fbf1fbf27130a4ecc3e403b70576",
        "f1xcbgdhkgkwht3hrrnui3jdopeejsoatkzmoltqy" },
    { 1, "0442832bf87cce9ea345b90350de7d3495859ca449059c5e88dde74285dffb9e"
        .. "c01ebabc5fc86268cfeaeba7ae05bfb8d68eb75a5268782cf86fc8702bef8a1fe0",
        "f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy" },
    { 2, "76128190cdf068d1418044acc03e0b6781970d60",
        "f24vg6ut43yw2h2jqydgbg2xq7x6f4kub3bg6as6i" },
    { 2, "2cafb8e2e06bba98ea657c5cf5f42023aa23e88e",
        "f25nml2cfbljvn4goqtclhifepvfnicv6g7mfmmvq" },
    { 2, "022c9e0ea29d8f40c56abec35c8d587da0a64c18",
        "f2nuqrg7vuysaue2pistjjnt3fadsdzvyuatqtfei" },
    { 2, "dfec030e204f0f59d80f1d5ee91dfd066d7f63bd",
        "f24dd4ox4c2vpf5vk5wkadgyyn6qtuvgcpxxon64a" },
    { 2, "3d3a89e8ddab547832716c6d468c3560c9f47fd8",
        "f2gfvuyh7v2sx3patm5k23wdzmhyhtmqctasbr23y" },
    { 3, "ad58df696e2d4e91ea86c881e938ba4ea81b395e12797b84b9cf314b9546705e839c7a99d606b247ddb4f9ac7a3414dd",
        "f3vvmn62lofvhjd2ugzca6sof2j2ubwok6cj4xxbfzz4yuxfkgobpihhd2thlanmsh3w2ptld2gqkn2jvlss4a" },
    { 3, "b3294f0a2e29e0c66ebc235d2fedca5697bf784af605c75af608e6a63d5cd38ea85ca8989e0efde9188b382f9372460d",
        "f3wmuu6crofhqmm3v4enos73okk2l366ck6yc4owxwbdtkmpk42ohkqxfitcpa57pjdcftql4tojda2poeruwa" },
    { 3, "96a1a3e4ea7a14d49985e661b22401d44fed402d1d0925b243c923589c0fbc7e32cd04e29ed78d15d37d3aaa3fe6da33",
        "f3s2q2hzhkpiknjgmf4zq3ejab2rh62qbndueslmsdzervrhapxr7dftie4kpnpdiv2n6tvkr743ndhrsw6d3a" },
    { 3, "86b454258c589475f7d16f5aac018a79f6c1169d20fc33921dd8b5ce1cac6c348f90a3603624f6aeb91b64518c2e8095",
        "f3q22fijmmlckhl56rn5nkyamkph3mcfu5ed6dheq53c244hfmnq2i7efdma3cj5voxenwiummf2ajlsbxc65a" },
    { 3, "a7726b038022f75a384617585360cee629070a2d9d28712965e5f26ecc40858382803724ed34f2720336f09db631f074",
        "f3u5zgwa4ael3vuocgc5mfgygo4yuqocrntuuhcklf4xzg5tcaqwbyfabxetwtj4tsam3pbhnwghyhijr5mixa" },
}

return {
    { "node ids of merkledb", function()
        local trie = example "merkle_trie"
        local function leaf(key, value) return { key = key, nibbles = 2 * #key, value = value } end
        for i, algorithm in ipairs(algorithms) do
            local function with_id(index, node)
                node.index, node.id = index, hashcore.digest(algorithm, trie.encode(node))
                return node
            end
            local root = function(...) return { key = "", nibbles = 0, ... } end
            local sixteen = root()
            for n = 0, 15 do sixteen[n + 1] = with_id(n, leaf(string.char(n * 16), "some value")) end
            local nodes = {
                empty_node = root(),
                has_value = leaf("", "value1"),
                has_key = leaf("\0\1\2\3\4\5\6\7"),
                ["1_child"] = root(with_id(15, leaf("\255", "value1"))),
                ["2_children"] = root(with_id(14, leaf("\237", "value2")), with_id(15, leaf("\255", "value1"))),
                ["16_children"] = sixteen,
            }
            for name, want in pairs(node_ids) do
                eq(hashcore.hexdigest(algorithm, trie.encode(nodes[name])), want[i], algorithm .. " " .. name)
            end
        end
    end },

    { "roots of merkledb", function()
        local trie = example "merkle_trie"
        for _, case in ipairs(roots) do
            local values = trie.sample(case[1])
            for i, algorithm in ipairs(algorithms) do
                local root, nodes = trie.root(values, algorithm, case[1] > 1000 and 2 or nil)
                eq(hashcore.tohex(root), case[2 + i], algorithm .. " of " .. case[1])
                eq(nodes, case[2])
            end
        end
    end },

    { "addresses of Filecoin", function()
        local address = example "filecoin_address"
        eq(#addresses, 16)
        for _, case in ipairs(addresses) do
            local data = hashcore.fromhex(case[2])
            eq(address.encode(case[1], data), case[3])
            local protocol, payload, network = address.decode(case[3])
            eq(protocol, case[1])
            eq(payload, protocol == 3 and data or hashcore.digest("blake2b", data, { digest_size = 20 }))
            eq(network, "f")
            for i = 3, #case[3] do -- no other digit passes anywhere
                local digit = case[3]:sub(i, i)
                local bad = case[3]:sub(1, i - 1) .. (digit == "a" and "b" or "a") .. case[3]:sub(i + 1)
                ok(address.decode(bad) == nil, bad)
            end
            ok(address.decode(case[3]:sub(1, -2)) == nil)
            ok(address.decode(case[3]:upper()) == nil)
        end
        ok(address.decode("f0123") == nil)
        T.raises("bytes given", address.encode, 3, "short")
    end },

    { "the examples as programs", function()
        local environment = { LUA_PATH = package.path, LUA_CPATH = package.cpath }
        local out, status = T.lua({ T.root .. "examples/lua/merkle_trie.lua", "100", "sha256" }, environment)
        ok(status == 0 and out:find("100 keys, 108 nodes", 1, true) and out:find(roots[3][3], 1, true), out)
        out, status = T.lua({ T.root .. "examples/lua/filecoin_address.lua", addresses[1][3] }, environment)
        ok(status == 0 and out:find("protocol 1, payload", 1, true), out)
        out, status = T.lua({ T.root .. "examples/lua/filecoin_address.lua", addresses[1][3] .. "a" }, environment)
        ok(status == 1, out)
    end },
}
