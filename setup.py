"""Build of the Python package: the core's files and the binding's, all with the same flags, by setuptools alone."""
import os
import sys

from setuptools import Extension, setup

# What core/src holds; a test compares this list with the folder. On architectures that a file is not for it is empty.
CORE = """
    alg bao blake2b blake2xb blake3 blake3_tree bytes cpu file file_ahead file_tree hmac image kernels kernels_avx2
    kernels_avx512 kernels_avx512vl kernels_neon kernels_portable kernels_sse2 kernels_sse41 kernels_wasm many many_blake3 sha256
    sha256_armv8 sha256_bmi2 sha256_shani threads xof xor
""".split()
BINDING = "arguments batch files functions module object tree".split()

root = os.path.dirname(os.path.abspath(__file__))
headers = ["core/include/hashcore.h", "bindings/python/src/binding.h"]
headers += sorted("core/src/" + name for name in os.listdir(os.path.join(root, "core", "src")) if name.endswith(".h"))

if sys.platform == "win32":
    flags, libraries = [], []
else:
    flags, libraries = ["-O2", "-g0", "-fvisibility=hidden"], ["pthread"]  # -O3 and -g take twice the time, for nothing

setup(
    ext_modules=[
        Extension(
            "hashcore._hashcore",
            ["core/src/%s.c" % name for name in CORE] + ["bindings/python/src/%s.c" % name for name in BINDING],
            include_dirs=["core/include"],
            depends=headers,
            extra_compile_args=flags,
            libraries=libraries,
        )
    ]
)
