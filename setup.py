"""Build of the Python package: the core's files and the binding's, all with the same flags, by setuptools alone."""
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# What core/src holds; a test compares this list with the folder. On architectures that a file is not for it is empty.
CORE = [
    "core/src/alg.c",
    "core/src/bao.c",
    "core/src/blake2b.c",
    "core/src/blake2xb.c",
    "core/src/blake3.c",
    "core/src/blake3_tree.c",
    "core/src/bytes.c",
    "core/src/cpu.c",
    "core/src/file.c",
    "core/src/file_ahead.c",
    "core/src/file_tree.c",
    "core/src/hmac.c",
    "core/src/image.c",
    "core/src/kernels.c",
    "core/src/kernels_avx2.c",
    "core/src/kernels_avx512.c",
    "core/src/kernels_avx512vl.c",
    "core/src/kernels_neon.c",
    "core/src/kernels_portable.c",
    "core/src/kernels_sse2.c",
    "core/src/kernels_sse41.c",
    "core/src/kernels_wasm.c",
    "core/src/many.c",
    "core/src/many_blake3.c",
    "core/src/sha256.c",
    "core/src/sha256_armv8.c",
    "core/src/sha256_bmi2.c",
    "core/src/sha256_shani.c",
    "core/src/sha256_shanivl.c",
    "core/src/threads.c",
    "core/src/xof.c",
    "core/src/xor.c",
]
BINDING = "arguments batch files functions module object tree".split()

root = os.path.dirname(os.path.abspath(__file__))
headers = ["core/include/hashcore.h", "bindings/python/src/binding.h"]
headers += sorted("core/src/" + name for name in os.listdir(os.path.join(root, "core", "src")) if name.endswith(".h"))

if sys.platform == "win32":
    flags, libraries = [], []
else:
    flags, libraries = ["-O2", "-g0", "-fvisibility=hidden"], ["pthread"]  # the kernels were measured at -O2; debug information doubles the build


class ParallelBuild(build_ext):
    """Several compilers at once: setuptools runs one after the other within an extension."""

    def build_extension(self, ext):
        one_by_one = self.compiler.compile

        def compile(sources, **options):
            with ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as pool:
                return sum(pool.map(lambda source: one_by_one([source], **options), sources), [])

        self.compiler.compile = compile
        super().build_extension(ext)


setup(
    cmdclass={"build_ext": ParallelBuild},
    ext_modules=[
        Extension(
            "hashcore._hashcore",
            CORE + ["bindings/python/src/%s.c" % name for name in BINDING],
            include_dirs=["core/include"],
            depends=headers,
            extra_compile_args=flags,
            libraries=libraries,
        )
    ]
)
