#!/usr/bin/env python3
"""What Python may cost beside the C library on big inputs, and how soon Ctrl-C ends a call.

    python bench/python/bench_limits.py [options of a harness, see --help]

HASHCORE_LIB names the C library (libhashcore.so); else the one below the build folder is taken. Big inputs: CPU time, the two
alternately in one process; the ratio is C's time over Python's, 0.98 and more is wanted. Ctrl-C: nanoseconds from the signal to the
KeyboardInterrupt in a process of its own, where the object must be as before; 0.2 s is wanted.
"""
import ctypes
import glob
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

import bench_calls
import benchlib
import hashcore

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def digest_in_c():
    """hc_digest of the C library through ctypes, or None."""
    build = pathlib.Path(os.environ.get("HASHCORE_BUILD") or ROOT / "build")
    path = os.environ.get("HASHCORE_LIB") or next(iter(glob.glob(str(build / "prefix" / "lib*" / "libhashcore.so"))), None)
    if not path:
        return None
    lib = ctypes.CDLL(path)

    class Slice(ctypes.Structure):
        _fields_ = [("data", ctypes.c_char_p), ("len", ctypes.c_size_t)]

    lib.hc_alg_find.restype, lib.hc_alg_find.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
    lib.hc_digest.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint64, ctypes.c_void_p,
                              ctypes.POINTER(Slice), ctypes.c_size_t, ctypes.c_uint, ctypes.c_void_p]

    def call(name, data):
        alg, part, size = lib.hc_alg_find(name.encode()), Slice(data, len(data)), hashcore.new(name).digest_size
        out = ctypes.create_string_buffer(size)

        def run():
            if lib.hc_digest(alg, out, size, 0, None, part, 1, 0, None):
                raise ValueError(name)
            return out.raw

        return run

    return call


def beside_c(call):
    for size in (1 << 20, 1 << 26):
        data = benchlib.pattern(size)
        for name in ("sha256", "blake2b", "blake3"):
            bench_calls.add(name, "one-shot beside C", size, [
                ("hashcore", lambda a=name, d=data: hashcore.digest(a, d)), ("hashcore, C", call(name, data)),
            ], slot=bench_calls.slot_of(name, size))


INTERRUPTED = """
import hashcore, mmap, os, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.argv[1] == "mapped":
    with open(sys.argv[2], "r+b") as f:
        data = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
else:
    pipe, _ = os.pipe()
h = hashcore.new(sys.argv[3], b"before")
sent = 0
def interrupt():
    global sent
    sent = time.monotonic_ns()
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.2, interrupt).start()
try:
    h.update(data) if sys.argv[1] == "mapped" else h.update_file(pipe)
except KeyboardInterrupt:
    took = time.monotonic_ns() - sent
    if h.digest() == hashcore.digest(sys.argv[3], b"before"):
        print(took)
"""


def delay(what, size, name):
    with tempfile.NamedTemporaryFile() as f:
        f.truncate(size)
        done = subprocess.run([sys.executable, "-c", INTERRUPTED, what, f.name, name], stdout=subprocess.PIPE, text=True, check=True)
    if not done.stdout.strip():
        sys.exit(f"Ctrl-C, {what}: no KeyboardInterrupt, or another digest after it")
    return int(done.stdout)


def main():
    options = benchlib.harness_options(__doc__, 1.0).parse_args()
    call = digest_in_c()
    if call:
        beside_c(call)
    interrupts = [dict(algorithm=name, operation=f"Ctrl-C, {what}", size=size, count=1, threads=1, alignment=0, what=what)
                  for name in ("sha256", "blake3") for what, size in (("mapped", 10_000_000_000), ("pipe", 0))]
    cpu = hashcore.cpu()
    harness = benchlib.Harness(options, {"runtime": f"CPython {platform.python_version()}, {platform.python_compiler()}", "cpu": cpu["enabled"],
                                         "missing": [] if call else ["libhashcore.so"]})
    for test in harness.tests(bench_calls.TESTS + interrupts):
        if "what" in test:
            samples = [delay(test["what"], test["size"], test["algorithm"]) for _ in range(11)]
            harness.rows(test, [("Python", "hashcore", hashcore.__version__, "", samples, "")])
            print(f"    at most {max(samples) / 1e6:.1f} ms")
            continue
        digests, samples = bench_calls.run(test, options.seconds)
        harness.rows(test, [("Python", library, hashcore.__version__, cpu["kernels"].get(test["slot"], ""), samples[k], digests[k])
                            for k, (library, _) in enumerate(test["rows"])])


if __name__ == "__main__":
    main()
