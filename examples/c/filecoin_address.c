/* filecoin_address.c - Filecoin addresses: encode a public key or an actor, decode and check an address.
 *
 *   filecoin_address ADDRESS...
 *   filecoin_address --check
 *
 * Protocols 1 (secp256k1) and 2 (actor) carry BLAKE2b-160 of their data, protocol 3 (BLS) the 48-byte key itself. The
 * checksum is BLAKE2b-32 of the protocol byte and the payload; base32 (RFC 4648) in lower case, not padded, follows. */
#include <hashcore.h>
#include <stdio.h>
#include <string.h>

enum { CHECKSUM = 4, PAYLOAD_MAX = 48, ADDRESS_MAX = 2 + 84 };
static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";

static size_t payload_size(int protocol)
{
    return protocol == 1 || protocol == 2 ? 20 : protocol == 3 ? PAYLOAD_MAX : 0;
}

/* The protocol byte goes before the payload as a part of its own: nothing is joined. */
static void checksum(uint8_t out[CHECKSUM], int protocol, const uint8_t *payload)
{
    const uint8_t first = (uint8_t)protocol;
    hc_options options = HC_OPTIONS_INIT;
    hc_slice parts[2];
    parts[0].data = &first;
    parts[0].len = 1;
    parts[1].data = payload;
    parts[1].len = payload_size(protocol);
    options.given = HC_GIVEN_DIGEST_SIZE;
    options.digest_size = CHECKSUM;
    (void)hc_digest(hc_alg_find("blake2b"), out, CHECKSUM, 0, &options, parts, 2, 0, NULL); /* nothing in it can fail */
}

/* Address of a public key (protocol 1: 65 bytes, 3: 48) or of an actor's data (2). 1, or 0 for a wrong length. */
int filecoin_encode(char address[ADDRESS_MAX + 1], char network, int protocol, const uint8_t *data, size_t len)
{
    uint8_t bytes[PAYLOAD_MAX + CHECKSUM];
    const size_t size = payload_size(protocol);
    size_t i, at = 2;
    unsigned bits = 0, n = 0;
    if (size == 0 || (protocol == 1 && len != 65) || (protocol == 3 && len != size)) return 0;
    if (protocol == 3)
        memcpy(bytes, data, size);
    else
        hc_blake2b_hash(bytes, size, NULL, 0, data, len);
    checksum(bytes + size, protocol, bytes);
    address[0] = network;
    address[1] = (char)('0' + protocol);
    for (i = 0; i < size + CHECKSUM; i++) {
        bits = bits << 8 | bytes[i];
        for (n += 8; n >= 5; n -= 5) address[at++] = digits[bits >> (n - 5) & 31];
    }
    if (n > 0) address[at++] = digits[bits << (5 - n) & 31];
    address[at] = 0;
    return 1;
}

/* The payload of an address; NULL, or what is wrong with it. */
const char *filecoin_decode(int *protocol, uint8_t payload[PAYLOAD_MAX], const char *address)
{
    uint8_t bytes[PAYLOAD_MAX + CHECKSUM], expected[CHECKSUM];
    const size_t len = strlen(address);
    size_t size, i, got = 0;
    unsigned bits = 0, n = 0;
    if (len < 3 || (address[0] != 'f' && address[0] != 't') || address[1] < '1' || address[1] > '3')
        return "no address of protocol 1, 2 or 3";
    *protocol = address[1] - '0';
    size = payload_size(*protocol);
    if (len != 2 + (8 * (size + CHECKSUM) + 4) / 5) return "its length is not the protocol's";
    for (i = 2; i < len; i++) {
        const char *digit = strchr(digits, address[i]);
        if (digit == NULL) return "a character is no base32 digit";
        bits = (bits << 5 | (unsigned)(digit - digits)) & 0xfff;
        for (n += 5; n >= 8; n -= 8) bytes[got++] = (uint8_t)(bits >> (n - 8));
    }
    if ((bits & ((1u << n) - 1)) != 0) return "bits are left over";
    checksum(expected, *protocol, bytes);
    if (!hc_equal(expected, bytes + size, CHECKSUM)) return "wrong checksum";
    memcpy(payload, bytes, size);
    return NULL;
}

/* ---- Known answers: go-address's address_test.go ------------------------------------------------ */
static int check(void)
{
    static const struct {
        int protocol;
        const char *data, *address;
    } known[] = {
        { 1,
          "049402fac37e6432a416a3a0ca5426b5185ab3b24f6134efa25ce487c82d2e4e13bf452511e0d2245421f8613bc10d72fa21"
          "6666a96c3bc13920d3ff233fd0bc05",
          "f15ihq5ibzwki2b4ep2f46avlkrqzhpqgtga7pdrq" },
        { 1,
          "047687b910379bf28cbe3aea674b12000c6b7dba46ffc05f6c94fe2a22bbcc2602ff7f5c76f21ca55d36959152b0e1e88791"
          "7c393576eef093f61ebd3ad06f7fda",
          "f12fiakbhe2gwd5cnmrenekasyn6v5tnaxaqizq6a" },
        { 1,
          "04defdd01001efb86e01ded5ce34f847a73a14819ee641bcb60bb92993596f05dc2d605f2985f8d125812dac4163a396349b"
          "23c11cc2ff359de54be287ea62319b",
          "f1wbxhu3ypkuo6eyp6hjx6davuelxaxrvwb2kuwva" },
        { 1,
          "0403ed12c814b6b10d2ee09d95b4688db2d180d0a9a37a6b6a7db63d29811ee9730479d8ef9139e91249cabd393291cfe5d2"
          "77ba76de45e3e085a37681bf3645d2",
          "f1xtwapqc6nh4si2hcwpr3656iotzmlwumogqbuaa" },
        { 1,
          "04f796819a8e271631af7c189797b545d60225936147e6010e6562b3ce9efe8b10144161a91ed0b4ec890800253fa6fc20ac"
          "90fbf1fbf27130a4ecc3e403b70576",
          "f1xcbgdhkgkwht3hrrnui3jdopeejsoatkzmoltqy" },
        { 1,
          "0442832bf87cce9ea345b90350de7d3495859ca449059c5e88dde74285dffb9ec01ebabc5fc86268cfeaeba7ae05bfb8d68e"
          "b75a5268782cf86fc8702bef8a1fe0",
          "f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy" },
        { 2, "76128190cdf068d1418044acc03e0b6781970d60", "f24vg6ut43yw2h2jqydgbg2xq7x6f4kub3bg6as6i" },
        { 2, "2cafb8e2e06bba98ea657c5cf5f42023aa23e88e", "f25nml2cfbljvn4goqtclhifepvfnicv6g7mfmmvq" },
        { 2, "022c9e0ea29d8f40c56abec35c8d587da0a64c18", "f2nuqrg7vuysaue2pistjjnt3fadsdzvyuatqtfei" },
        { 2, "dfec030e204f0f59d80f1d5ee91dfd066d7f63bd", "f24dd4ox4c2vpf5vk5wkadgyyn6qtuvgcpxxon64a" },
        { 2, "3d3a89e8ddab547832716c6d468c3560c9f47fd8", "f2gfvuyh7v2sx3patm5k23wdzmhyhtmqctasbr23y" },
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
    };
    const int count = (int)(sizeof known / sizeof known[0]);
    int good = 0, i;
    for (i = 0; i < count; i++) {
        uint8_t data[65], payload[PAYLOAD_MAX];
        char address[ADDRESS_MAX + 1], changed[ADDRESS_MAX + 1];
        const size_t len = strlen(known[i].data) / 2;
        size_t at, refused = 0;
        int protocol = 0;
        if (hc_unhex(data, known[i].data, 2 * len, NULL) != HC_OK ||
            !filecoin_encode(address, 'f', known[i].protocol, data, len) || strcmp(address, known[i].address) != 0 ||
            filecoin_decode(&protocol, payload, address) != NULL || protocol != known[i].protocol)
            continue;
        for (at = 0; at < strlen(address); at++) { /* every character matters; another network is another address */
            strcpy(changed, address);
            changed[at] = changed[at] == 'b' ? 'c' : 'b';
            refused += filecoin_decode(&protocol, payload, changed) != NULL;
            changed[at] = 0;
            refused += filecoin_decode(&protocol, payload, changed) != NULL;
        }
        good += refused == 2 * strlen(address);
    }
    printf("filecoin_address: %d of %d known addresses\n", good, count);
    return good == count ? 0 : 1;
}

int main(int argc, char **argv)
{
    int i, bad = 0;
    if (argc == 2 && strcmp(argv[1], "--check") == 0) return check();
    if (argc < 2) {
        fputs("usage: filecoin_address ADDRESS..., or --check\n", stderr);
        return 2;
    }
    for (i = 1; i < argc; i++) {
        uint8_t payload[PAYLOAD_MAX];
        char hex[2 * PAYLOAD_MAX + 1];
        int protocol;
        const char *wrong = filecoin_decode(&protocol, payload, argv[i]);
        if (wrong != NULL) {
            printf("%s: %s\n", argv[i], wrong);
            bad = 1;
            continue;
        }
        hc_hex(hex, payload, payload_size(protocol));
        printf("%s: protocol %d, payload %.*s\n", argv[i], protocol, (int)(2 * payload_size(protocol)), hex);
    }
    return bad;
}
