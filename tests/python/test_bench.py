"""The bench: its results are what its schema says, every public figure comes from them, and a wrong digest fails a run."""
import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BENCH = ROOT / "bench"
jsonschema = pytest.importorskip("jsonschema", reason="bench/requirements.txt is not installed")
pytest.importorskip("jinja2", reason="bench/requirements.txt is not installed")
pytest.importorskip("matplotlib", reason="bench/requirements.txt is not installed")
pytest.importorskip("rich", reason="bench/requirements.txt is not installed")


def run(*command):
    return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, cwd=ROOT, check=False)


def harness(*options):
    return run(BENCH / "python/bench_calls.py", "--only", "filecoin", "--seconds", "0.001", *options)


@pytest.mark.parametrize("path", sorted((BENCH / "results").glob("*.json")), ids=lambda p: p.stem)
def test_results_are_what_the_schema_says(path):
    schema = json.loads((BENCH / "schema.json").read_text())
    document = json.loads(path.read_text())
    jsonschema.validate(document, schema)
    assert document["complete"] and document["results"]
    document["results"][0]["ns_min"] = 0  # the schema can refuse
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema)


def test_every_public_figure_is_a_row_of_the_results():
    done = run(BENCH / "figures", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_wrong_digest_fails_the_run(tmp_path):
    text = (BENCH / "workloads.txt").read_text()
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if " filecoin-checksum " in line)
    good = lines[at]
    lines[at] = good[:-1] + ("0" if good[-1] != "0" else "1")
    (tmp_path / "wrong.txt").write_text("\n".join(lines) + "\n")
    done = harness("--workloads", tmp_path / "wrong.txt")
    assert done.returncode == 1 and "gives a wrong output" in done.stderr
    assert harness().returncode == 0


def test_resume_does_what_is_left(tmp_path):
    path = tmp_path / "lines"
    assert harness("--json", path).returncode == 0
    lines = path.read_text().splitlines()
    kept = [line for line in lines if '"filecoin-checksum"' not in line]
    assert 1 < len(kept) < len(lines)
    path.write_text("\n".join(kept) + "\n")
    done = harness("--json", path, "--resume")
    assert "filecoin-checksum " in done.stdout and "filecoin-payload" not in done.stdout

    def tests(lines):
        return sorted((r["operation"], r["library"]) for r in map(json.loads, lines[1:]))

    assert tests(path.read_text().splitlines()) == tests(lines)


def test_compare_sees_a_change_and_no_other(tmp_path):
    path = sorted((BENCH / "results").glob("python.json"))[0]
    document = json.loads(path.read_text())
    assert run(BENCH / "compare", path, path).returncode == 0
    row = next(r for r in document["results"] if r["ratio"] and r["library"] == "hashlib" and r["operation"] == "filecoin-payload")
    same = [r for r in document["results"] if all(r[k] == row[k] for k in ("algorithm", "operation", "size", "alignment", "threads"))]
    for r in same:
        r["ns_median"] = r["ns_min"]  # no noise
        if r["ratio"]:
            r["ratio"] /= 2  # hashcore takes twice as long
    (tmp_path / "new.json").write_text(json.dumps(document))
    (tmp_path / "old.json").write_text(json.dumps({**document, "results": [dict(r, ratio=r["ratio"] and r["ratio"] * (2 if r in same else 1))
                                                                          for r in document["results"]]}))
    done = run(BENCH / "compare", tmp_path / "old.json", tmp_path / "new.json")
    assert done.returncode == 1 and "1 slower" in done.stdout and "0 faster" in done.stdout
