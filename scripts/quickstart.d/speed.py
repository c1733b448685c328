"""speed.py - lines `library algorithm bytes nanoseconds` (the least of alternating runs) for hashcore and hashlib."""
import hashlib
import time

import hashcore


def least(functions, data, calls, rounds=15):
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for i, f in enumerate(functions):
            start = time.perf_counter_ns()
            for _ in range(calls):
                f(data)
            best[i] = min(best[i], (time.perf_counter_ns() - start) / calls)
    return best


for name in ("sha256", "blake2b", "blake3"):
    peers = [("hashcore", lambda d, n=name: hashcore.hexdigest(n, d))]
    if hasattr(hashlib, name):
        peers.append(("hashlib", lambda d, n=name: getattr(hashlib, n)(d).hexdigest()))
    for size, calls in ((64, 2000), (1 << 24, 1)):
        for (library, _), ns in zip(peers, least([f for _, f in peers], bytes(size), calls)):
            print(library, name, size, round(ns, 1))
