"""The guide's examples run as they stand."""
import os
import re
import subprocess
import sys

import pytest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def examples():
    with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as f:
        text = f.read()
    for match in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S):
        yield pytest.param(match[1], id=f"line {text[:match.start()].count(chr(10)) + 2}")


@pytest.mark.parametrize("code", list(examples()))
def test_example(code, tmp_path):
    file = tmp_path / "example.py"
    file.write_text(code)
    done = subprocess.run([sys.executable, "-W", "error", str(file)], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout


def test_the_progress_bar(tmp_path):
    pytest.importorskip("tqdm")
    code = next(p.values[0] for p in examples() if "# recipe: progress bar" in p.values[0])
    file = tmp_path / "example.py"
    file.write_text(code + "\nprint(hash_with_bar(__file__))\n")
    done = subprocess.run([sys.executable, str(file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    import hashcore

    assert done.stdout.strip() == hashcore.file_digest(file, "blake3").hexdigest()


def test_the_guide_never_sends_users_to_the_index():
    for name in ("docs/python.md", "README.md"):
        with open(os.path.join(ROOT, name), encoding="utf-8") as f:
            assert not re.search(r"pip install (-\S+ )*hashcore", f.read())
