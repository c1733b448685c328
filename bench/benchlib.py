"""benchlib - what the programs in Python here share: a harness' options, the workloads, lines of results, and reading them back."""
import argparse
import collections
import hashlib
import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("HASHCORE_BUILD", HERE.parent / "build"))
PYTHON = BUILD / "venv/bin/python"
SCHEMA = 2
TEST = ("algorithm", "operation", "size", "count", "threads", "alignment")  # what makes two rows comparable within a file

Workload = collections.namedtuple("Workload", "kind algorithm operation data parts size count threads alignment output digest")


def pattern(n, by=251, start=0):
    """Byte i is (i + start) mod by."""
    return (bytes(range(by)) * (n // by + 2))[start:start + n]


def workloads(path=HERE / "workloads.txt"):
    """The workloads that all languages share; see the file's head."""
    nodes, found = {}, []
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith("#"):
            continue
        kind, algorithm, *rest = line.split()
        if kind == "node":
            nodes[algorithm, rest[0]] = [bytes.fromhex(p.strip("-")) for p in rest[1].split(",")]
            continue
        operation, source, size, count, threads, alignment, output, digest = rest
        parts = nodes[algorithm, source[5:]] if source.startswith("node:") else None
        data = b"".join(parts) if parts else pattern(64 if kind == "xof" else int(size))
        found.append(Workload(kind, algorithm, operation, data, parts, int(size), int(count), int(threads), int(alignment), int(output), digest))
    return found


def hashcore_version():
    return (HERE.parent / "core/include/hashcore.h").read_text().split('HC_VERSION_STRING "')[1].split('"')[0]


def digest_text(output):
    """Of an output, in hex; of a long one its SHA-256."""
    output = bytes(output)
    return output.hex() if len(output) <= 64 else hashlib.sha256(output).hexdigest()


def need(*modules, build=False):
    """Goes on in build/venv when a module is not there. build: makes that first, by scripts/quickstart and pip."""
    lacking = [m for m in modules if importlib.util.find_spec(m) is None]
    if not lacking:
        return
    if os.environ.get("BENCH_IN_VENV") or not (build or PYTHON.exists()):
        sys.exit(f"not installed: {', '.join(lacking)}; bench/run installs it")
    there = PYTHON.exists() and not subprocess.run([PYTHON, "-c", f"import {', '.join(modules)}"], check=False, capture_output=True, cwd=BUILD).returncode
    if build and not there:
        print(f"{lacking[0]} is not there: building all by scripts/quickstart, and the bench's packages into {PYTHON.parent.parent}", flush=True)
        if not PYTHON.exists() or subprocess.run([PYTHON, "-c", "import hashcore"], check=False, capture_output=True, cwd=BUILD).returncode:
            subprocess.run([HERE.parent / "scripts/quickstart"], check=True, stdin=subprocess.DEVNULL)
        subprocess.run([PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", HERE / "requirements.txt"], check=True)
    os.execve(PYTHON, [str(PYTHON), *sys.argv], {**os.environ, "BENCH_IN_VENV": "1"})


# ---- A harness --------------------------------------------------------------------------------------------------------
def harness_options(description, seconds):
    def names(text):
        return text.split(",")

    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="tests whose `algorithm operation` holds this text")
    parser.add_argument("--algorithms", type=names, help="only these, a list with commas")
    parser.add_argument("--size", type=int, action="append", help="only this size; may be repeated")
    parser.add_argument("--peers", type=names, help="only these beside hashcore")
    parser.add_argument("--max-bytes", type=int, default=0, help="leave out what hashes more in a call")
    parser.add_argument("--seconds", type=float, default=seconds, help="for each row")
    parser.add_argument("--workloads", default=HERE / "workloads.txt", help="another list of workloads")
    parser.add_argument("--json", help="write a line a row there")
    parser.add_argument("--resume", action="store_true", help="append to it what it does not have")
    parser.add_argument("--progress", action="store_true", help="print a line before each test")
    parser.add_argument("--list", action="store_true", help="name the tests, run none")
    return parser


class Harness:
    """Which tests are asked for, and the file of lines that they go to."""

    def __init__(self, options, header):
        self.options, self.file, self.done = options, None, set()
        if options.json:
            old = pathlib.Path(options.json)
            lines = old.read_text().splitlines() if options.resume and old.exists() else []
            rows = [json.loads(x) for x in lines]
            self.done = {tuple(r[k] for k in TEST) for r in rows[1:]}
            self.file = open(options.json, "a" if lines else "w", encoding="utf-8")
            if not lines:
                self.line({"schema": SCHEMA, **header})

    def line(self, value):
        if self.file:
            self.file.write(json.dumps(value) + "\n")
            self.file.flush()

    def wants(self, test):
        o = self.options
        return (o.only in f"{test['algorithm']} {test['operation']}" and (not o.algorithms or test["algorithm"] in o.algorithms)
                and (not o.size or test["size"] in o.size) and (not o.max_bytes or test["size"] * test["count"] <= o.max_bytes))

    def tests(self, all_tests):
        """Those to run, one after another; says so when asked."""
        chosen = [t for t in all_tests if self.wants(t)]
        for i, test in enumerate(chosen):
            if self.options.list:
                print(test["algorithm"], test["operation"], test["size"])
                continue
            if self.options.progress:
                print("@", i, len(chosen), test["algorithm"], test["operation"], flush=True)
            if tuple(test[k] for k in TEST) not in self.done:
                yield test

    def rows(self, test, measured, base=None):
        """measured: [(language, library, version, kernel, samples, digest)], hashcore's first; samples pair with those of the first,
        or with base[library], by their index."""
        for number, (language, library, version, kernel, samples, digest) in enumerate(measured):
            ordered = sorted(samples)
            least = max(ordered[0], 0.001)
            ratio = statistics.median(b / a for a, b in zip((base or {}).get(library, measured[0][4]), samples)) if number else None
            print(f"{test['algorithm'] + ' ' + test['operation'] if not number else '':44}{test['size'] if not number else '':>9}  {library:34}"
                  f"{least:13.1f} ns" + (f"  ratio {ratio:7.2f}" if number else ""), flush=True)
            self.line({
                "language": language, "library": library, "version": version, "kernel": kernel, **{k: test[k] for k in TEST},
                "ns_min": round(least, 3), "ns_median": round(statistics.median(ordered), 3), "ns_p95": round(ordered[int(len(ordered) * 0.95)], 3),
                "bytes_per_second": round(test["size"] * 1e9 / least), "tsc_ticks_per_byte": None, "ratio": ratio and round(ratio, 4),
                "level": test.get("level", ""), "digest": digest,
            })


def fail(test, library):
    sys.exit(f"{test['algorithm']} {test['operation']}, {test['size']} bytes: {library} gives a wrong output")


# ---- Results ---------------------------------------------------------------------------------------------------------
def load(path):
    """(what holds for the whole file, its rows) of a document of bench/run or of a harness' lines."""
    path = pathlib.Path(path)
    text = path.read_text()
    try:
        document = json.loads(text)
        rows = document.pop("results")
    except (ValueError, KeyError):
        document, *rows = [json.loads(x) for x in text.splitlines() if x.endswith("}")]
    return {"name": path.name.split(".")[0], **document}, rows
