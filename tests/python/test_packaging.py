"""Build lists, sizes, and an archive from which the package builds elsewhere."""
import glob
import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
import tarfile

import pytest

import hashcore

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def names(*pattern):
    return {os.path.splitext(os.path.basename(path))[0] for path in glob.glob(os.path.join(ROOT, *pattern))}


def test_the_build_list_is_complete():
    with open(os.path.join(ROOT, "setup.py"), encoding="utf-8") as f:
        text = f.read()
    core = re.findall(r'^    "core/src/(\w+)\.c",$', text, re.M)
    binding = re.search(r'^BINDING = "(.*?)"', text, re.M)[1].split()
    assert len(core) == len(set(core)) and set(core) == names("core", "src", "*.c")
    assert set(binding) == names("bindings", "python", "src", "*.c")


def test_the_binding_stays_small():
    lines = 0
    for path in glob.glob(os.path.join(ROOT, "bindings", "python", "src", "*.[ch]")):
        with open(path, encoding="utf-8") as f:
            lines += len(f.readlines())
    assert lines < 1500


def test_versions_agree():
    with open(os.path.join(ROOT, "core", "include", "hashcore.h"), encoding="utf-8") as f:
        version = re.search(r'HC_VERSION_STRING "(.*?)"', f.read())[1]
    with open(os.path.join(ROOT, "pyproject.toml"), encoding="utf-8") as f:
        assert f'version = "{version}"' in f.read()
    assert hashcore.__version__ == version


@pytest.mark.skipif(importlib.util.find_spec("setuptools") is None or importlib.util.find_spec("wheel") is None
                    or int(importlib.metadata.version("setuptools").split(".")[0]) < 77, reason="needs setuptools 77 and wheel")
def test_an_archive_builds_elsewhere(tmp_path):
    """Also without a warning from the compiler."""
    hook = "import sys, setuptools.build_meta as b; print(getattr(b, sys.argv[1])(sys.argv[2]))"
    out = tmp_path / "out"
    out.mkdir()
    copy = tmp_path / "tree"  # the checkout itself stays clean
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if files.returncode:
        pytest.skip("no checkout")
    for name in files.stdout.split("\n"):
        if name.startswith(("core/", "bindings/python/", "docs/python.md")) or name in ("setup.py", "pyproject.toml", "LICENSE"):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes(open(os.path.join(ROOT, name), "rb").read())
    subprocess.run([sys.executable, "-c", hook, "build_sdist", str(out)], cwd=copy, check=True, stdout=subprocess.DEVNULL)
    (archive,) = out.glob("*.tar.gz")
    with tarfile.open(archive) as t:
        t.extractall(tmp_path / "elsewhere")
    (tree,) = (tmp_path / "elsewhere").iterdir()
    done = subprocess.run([sys.executable, "-c", hook, "build_wheel", str(out)], cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env=dict(os.environ, CFLAGS="-O0 -Wall -Wextra -Werror"))
    assert done.returncode == 0, done.stdout[-3000:]
    assert "warning:" not in re.sub(r"warning: \w+: byte-compiling is disabled.*", "", done.stdout)
    (wheel,) = out.glob("*.whl")
    program = "import hashcore, sys; assert hashcore.__file__.startswith(sys.argv[1]); print(hashcore.hexdigest('sha256', b'abc')[:8])"
    target = tmp_path / "site"
    import zipfile

    with zipfile.ZipFile(wheel) as z:
        z.extractall(target)
    done = subprocess.run([sys.executable, "-c", program, str(target)], cwd=tmp_path, env=dict(os.environ, PYTHONPATH=str(target)),
                          stdout=subprocess.PIPE, text=True)
    assert done.stdout.strip() == "ba7816bf"
    assert (target / "hashcore" / "py.typed").exists() and (target / "hashcore" / "__init__.pyi").exists()
