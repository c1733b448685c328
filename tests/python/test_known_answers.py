"""Every record of tests/vectors, in this process and at every dispatch level that this processor has."""
import os
import random
import subprocess
import sys

import conftest
import known_answers
import pytest

import hashcore

LEVELS = ("portable", "sse2", "sse41", "avx2", "avx512", "neon", "simd128")
SHA = ("shani", "sha2")  # instructions for SHA-256, on and off at each level


def run_at(level):
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known_answers.py")
    environment = dict(os.environ, HASHCORE_CPU=level)
    return subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True)


def levels():
    """All that this processor has, by asking."""
    found = []
    for level in LEVELS:
        for text in (level, *(f"{level},no-{name}" for name in SHA)):
            check = subprocess.run(
                [sys.executable, "-c", "import hashcore; print(hashcore.cpu()['kernels'])"],
                env=dict(os.environ, HASHCORE_CPU=text), capture_output=True, text=True,
            )
            if check.returncode == 0 and check.stdout not in [kernels for _, kernels in found]:
                found.append((text, check.stdout))
    return [text for text, _ in found]


@pytest.fixture(scope="module")
def here():
    seed = random.randrange(10**9)
    print("seed:", seed)
    run, skipped = known_answers.run_all(seed)
    conftest.LINES.append(known_answers.closing_line(run, skipped))
    return conftest.LINES[-1]


def test_in_this_process(here):
    run = int(here.split()[1])
    assert run > 10000 and here.endswith(" 0 skipped")


def test_at_every_level(here):
    names = {}
    for level in levels():
        done = run_at(level)
        assert done.returncode == 0, f"{level}: {done.stderr[-2000:]}"
        enabled, kernels, closing = done.stdout.strip().split("\n")
        assert closing == here
        print(f"{level}: {enabled}, {kernels}")
        names[level] = kernels
    assert "portable" in names and len(set(names.values())) == len(names)
    if "avx2" in hashcore.cpu()["detected"] or "avx512" in hashcore.cpu()["detected"]:
        assert len(names) >= 4


@pytest.mark.parametrize("value", ["nonsense", "avx2,no-such", "neon" if os.uname().machine == "x86_64" else "avx2"])
def test_a_wrong_level_is_an_import_error(value):
    done = subprocess.run([sys.executable, "-c", "import hashcore"], env=dict(os.environ, HASHCORE_CPU=value),
                          capture_output=True, text=True)
    assert done.returncode == 1 and "ImportError: HASHCORE_CPU" in done.stderr


def test_a_wrong_answer_is_seen():
    """The runner must fail on each way in when an answer is not right."""
    record = {"alg": "sha256", "input": b"abc", "output": bytes(32)}
    with pytest.raises(AssertionError, match="somewhere: whole"):
        known_answers.run_digest("somewhere", record, random.Random(1))
    with pytest.raises(AssertionError):
        known_answers.run_xor("somewhere", {"a": b"a", "b": b"b", "output": b"c"}, None)
