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


def test_pooch(tmp_path):
    """A file whose digest in the registry is BLAKE3's: what is there and right is not fetched, what is wrong is refused."""
    pytest.importorskip("pooch")
    code = next(p.values[0] for p in examples() if "# recipe: pooch" in p.values[0])
    file = tmp_path / "example.py"
    file.write_text(code + """
import pooch, sys
known = "blake3:" + hashcore.file_digest(__file__, "blake3").hexdigest()
try:
    pooch.hashes.hash_matches(__file__, known)
except ValueError as error:
    assert "not available" in str(error)  # so the recipe is needed
    teach_pooch()
assert pooch.file_hash(__file__, "blake3") == known[7:]
assert pooch.hashes.hash_matches(__file__, known) and not pooch.hashes.hash_matches(__file__, "blake3:" + "0" * 64)
registry = pooch.create(path=sys.argv[1], base_url="https://nowhere.invalid/", registry={"example.py": known})
print(registry.fetch("example.py"))
""")
    done = subprocess.run([sys.executable, str(file), str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0 and done.stdout.strip() == str(file), done.stdout


def test_the_guide_never_sends_users_to_the_index():
    for name in ("docs/python.md", "README.md"):
        with open(os.path.join(ROOT, name), encoding="utf-8") as f:
            assert not re.search(r"pip install (-\S+ )*hashcore", f.read())
