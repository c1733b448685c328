"""The stubs: mypy --strict, pyright and stubtest, where they are installed."""
import os
import subprocess
import sys

import pytest

import hashcore

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(HERE, "typed_example.py")


def run(*arguments, **options):
    done = subprocess.run([sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    return done.returncode, done.stdout


def test_the_example_runs():
    code, output = run(EXAMPLE)
    assert code == 0, output


def test_mypy(tmp_path):
    pytest.importorskip("mypy")
    code, output = run("-m", "mypy", "--strict", "--cache-dir", str(tmp_path), EXAMPLE)
    assert code == 0, output
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import hashcore\nhashcore.sha256('text')\nhashcore.sha256().digest(b'msg')\nhashcore.blake3(key=5)\n")
    code, output = run("-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(wrong))
    assert output.count(" error: ") == 3, output


def test_pyright(tmp_path):
    pytest.importorskip("pyright")
    code, output = run("-m", "pyright", "--pythonpath", sys.executable, EXAMPLE, cwd=tmp_path)
    if code != 0 and all(word in output.lower() for word in ("error", "node", "install")):
        pytest.skip("pyright could not get its Node: " + output[-200:])
    assert code == 0, output


def test_stubtest(tmp_path):
    pytest.importorskip("mypy")
    allowed = tmp_path / "allowed"
    allowed.write_text(
        # The one C type takes arguments where there is more than one output; the stubs of the others know that there are none.
        "hashcore\\.(sha224|sha256|hmac_sha224|hmac_sha256|blake2b)\\.(digest|hexdigest)\n"
        "hashcore\\.(_hashcore|_arrow|_buffers|_files|_methods|_reader|_tree).*\n"
    )
    code, output = run("-m", "mypy.stubtest", "hashcore", "--allowlist", str(allowed), "--ignore-unused-allowlist",
                       cwd=tmp_path)
    assert code == 0, output


def test_the_package_is_typed():
    folder = os.path.dirname(hashcore.__file__)
    for name in ("py.typed", "__init__.pyi", "bao.pyi"):
        assert os.path.exists(os.path.join(folder, name))
