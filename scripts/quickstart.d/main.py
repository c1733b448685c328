"""The quick start's main job: the same files from four languages, compared with coreutils, and a table of speed."""
import argparse
import os
import pathlib
import subprocess
import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ALGORITHMS = ["sha224", "sha256", "blake2b", "blake3"]
COREUTILS = {"sha224": ["sha224sum"], "sha256": ["sha256sum"], "blake2b": ["b2sum"]}
LANGUAGES = { # C's is the program that scripts/quickstart compiled
    "Python": [sys.executable, str(HERE / "hash.py")],
    "Lua": ["lua5.4", str(HERE / "hash.lua")],
    "Node": ["node", str(HERE / "hash.mjs")],
}
SPEED = {
    "Python": [sys.executable, str(HERE / "speed.py")],
    "Lua": ["lua5.4", str(HERE / "speed.lua")],
    "Node": ["node", str(HERE / "speed.mjs")],
}
console = Console(highlight=False)


def files_of(paths, build):
    """The regular files among and below the given paths; without any, the checkout's own and one of 64 MiB."""
    if paths:
        found = []
        for path in map(pathlib.Path, paths):
            if path.is_dir():
                found += sorted(p for p in path.rglob("*") if p.is_file())
            else:
                found.append(path)
        return found
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=False).stdout
    found = [ROOT / os.fsdecode(name) for name in listed.split(b"\0") if name]
    larger = build / "larger-file"
    if not larger.exists() or larger.stat().st_size != 64 << 20:
        larger.write_bytes(bytes(i % 251 for i in range(251 * 256)) * ((64 << 20) // (251 * 256)) + bytes((64 << 20) % (251 * 256)))
    return [p for p in found if p.is_file()] + [larger]


def lines(command, progress, task):
    """The words of each line that the command prints, one step of the bar a line; its failure ends everything."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            progress.advance(task)
            yield line.split()
    if process.returncode:
        sys.exit(f"{' '.join(command[:2])} failed with status {process.returncode}")


def hash_everywhere(files, build):
    """{who: {(index, algorithm): digest}} for the four languages and coreutils."""
    listing = build / "quickstart-files"
    listing.write_bytes(b"".join(os.fsencode(os.path.abspath(f)) + b"\0" for f in files))
    results = {}
    columns = (TextColumn("{task.description:<10}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        for who, command in {"C": [str(build / "quickstart-hash")], **LANGUAGES}.items():
            task = progress.add_task(who, total=len(files) * len(ALGORITHMS))
            results[who] = {
                (int(index), name): digest
                for index, name, digest in lines([*command, str(listing), *ALGORITHMS], progress, task)
            }
        task = progress.add_task("coreutils", total=len(files) * len(COREUTILS))
        results["coreutils"] = {}
        for name, command in COREUTILS.items():
            for index, path in enumerate(files):
                with open(path, "rb") as stream:
                    out = subprocess.run(command, stdin=stream, capture_output=True, text=True, check=True).stdout
                results["coreutils"][index, name] = out.split()[0]
                progress.advance(task)
    return results


def compare(files, results):
    wrong = 0
    for index, path in enumerate(files):
        for name in ALGORITHMS:
            said = {who: r.get((index, name)) for who, r in results.items() if who != "coreutils" or name in COREUTILS}
            if len(set(said.values())) != 1 or None in said.values():
                wrong += 1
                console.print(f"[red]disagree[/] on {path}: {name}: {said}")
    table = Table(title=f"{len(files)} files, {sum(os.path.getsize(f) for f in files):,} bytes; the last: {files[-1].name}")
    table.add_column("algorithm")
    table.add_column("digest (C = Python = Lua = Node)", overflow="fold")
    table.add_column("agrees with")
    for name in ALGORITHMS:
        table.add_row(name, results["Python"][len(files) - 1, name], COREUTILS.get(name, ["the other three languages"])[0])
    console.print(table)
    return wrong


def speed():
    table = Table(title="nanoseconds a call at 64 B; GB/s at 16 MiB (the least of 15 alternating runs; this machine, now)")
    for column, justify in (("language", "left"), ("library", "left"), ("algorithm", "left"), ("64 B", "right"), ("16 MiB", "right")):
        table.add_column(column, justify=justify)
    for language, command in SPEED.items():
        rows = {}
        for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
            library, name, size, ns = line.split()
            rows.setdefault((name, library), {})[int(size)] = float(ns)
        for (name, library), at in rows.items():
            table.add_row(language, library, name, f"{at[64]:,.0f} ns", f"{(1 << 24) / at[1 << 24]:.2f} GB/s")
        table.add_section()
    console.print(table)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("paths", nargs="*")
    args = parser.parse_args()
    files = files_of(args.paths, args.build)
    if not files:
        sys.exit("no files to hash")
    wrong = compare(files, hash_everywhere(files, args.build))
    speed()
    console.print(f"[red]{wrong} disagreements[/]" if wrong else "[green]C, Python, Lua, Node and coreutils agree.[/]")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
