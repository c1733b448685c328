#!/usr/bin/env python3
"""Write known answers as C arrays, for machines without files: OUT/embedded_0.h, embedded_1.h, ...

Compile tests/c/test_vectors.c once for each part, with -DHC_EMBEDDED='"embedded_0.h"' and -I OUT. Together the parts
hold every record of the chosen files, each part at most --part bytes of text.
"""
import argparse
import os
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "vectors")
FILES = ["sha2.txt", "hmac.txt", "blake2b.txt", "blake2xb.txt", "blake3.txt", "xor.txt"]


def records(path):
    with open(path, encoding="ascii") as f:
        for record in f.read().strip("\n").split("\n\n"):
            lines = [line for line in record.split("\n") if not line.startswith("#")]
            if lines:
                yield "\n".join(lines) + "\n\n"


def parts(paths, most):
    """Lists of (file's name, text), each list of at most `most` bytes of text (or of one record, should it be longer)."""
    part, size = [], 0
    for path in paths:
        name, texts = os.path.basename(path), []
        for record in records(path):
            if size + len(record) > most and size:
                yield part + [(name, "".join(texts))] * bool(texts)
                part, texts, size = [], [], 0
            texts.append(record)
            size += len(record)
        if texts:
            part.append((name, "".join(texts)))
    yield part


def write(out, part):
    out.write("/* Known answers, written by scripts/embed_vectors.py. */\n#include <stddef.h>\n")
    for i, (_, text) in enumerate(part):
        out.write("static const char hc_embedded_%d[] = {\n" % i)
        for at in range(0, len(text), 32):
            out.write(",".join(str(ord(c)) for c in text[at:at + 32]) + ",\n")
        out.write("};\n")
    out.write("static const struct {\n    const char *name, *text;\n    size_t len;\n} hc_embedded[] = {\n")
    for i, (name, _) in enumerate(part):
        out.write('    { "%s", hc_embedded_%d, sizeof hc_embedded_%d },\n' % (name, i, i))
    out.write("};\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", help="folder, made if need be")
    parser.add_argument("files", nargs="*", default=FILES, help="of tests/vectors or paths (default: all)")
    parser.add_argument("--part", type=int, default=500000, help="bytes of text in a part (default 500000)")
    args = parser.parse_args()
    paths = [f if os.path.exists(f) else os.path.join(FOLDER, f) for f in args.files]
    os.makedirs(args.out, exist_ok=True)
    for i, part in enumerate(parts(paths, args.part)):
        name = os.path.join(args.out, "embedded_%d.h" % i)
        with open(name, "w", encoding="ascii", newline="\n") as f:
            write(f, part)
        print("%s: %d bytes of text" % (name, sum(len(text) for _, text in part)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
