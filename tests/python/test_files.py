"""Files: paths, descriptors, file objects from their position, pipes and devices, progress, errors."""
import errno
import gzip
import hashlib
import io
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading

import pytest

import hashcore

NAMES = ("sha224", "sha256", "blake2b", "blake3")
SIZES = (0, 1, 1000, 65536, 300001, 5 << 20)


@pytest.fixture(scope="module")
def content():
    return random.Random(7).randbytes(max(SIZES))


@pytest.fixture(params=SIZES)
def file(request, tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content[: request.param])
    return path


@pytest.mark.parametrize("threads", [None, 0, 1, 2, hashcore.AUTO])
def test_ways_to_name_a_file(file, threads):
    data = file.read_bytes()
    for name in NAMES:
        want = hashcore.digest(name, data)
        for path in (file, str(file), os.fsencode(file)):
            assert hashcore.file_digest(path, name, threads=threads).digest() == want
        with open(file, "rb", buffering=0) as raw:
            assert hashcore.file_digest(raw.fileno(), name, threads=threads).digest() == want
            assert raw.tell() == len(data)
        h = hashcore.new(name)
        assert h.update_file(file, threads=threads) is h and h.digest() == want
        assert h.update_file(str(file)).digest() == hashcore.digest(name, data, data)
        assert h.reset().update_mmap(file).digest() == want


def test_positions(file):
    data = file.read_bytes()
    start = min(5, len(data))
    want = hashcore.digest("blake3", data[start:])
    openers = (
        lambda: open(file, "rb"), lambda: open(file, "rb", buffering=0), lambda: open(file, "r+b"), lambda: io.BytesIO(data),
        lambda: tempfile.NamedTemporaryFile(),
    )
    for opener in openers:
        with opener() as f:
            if hasattr(f, "file"):
                f.write(data)
                f.flush()
                f.seek(0)
            assert f.read(start) == data[:start]
            assert hashcore.file_digest(f, "blake3").digest() == want
            assert f.tell() == len(data) and f.read() == b""
            f.seek(start)
            assert hashcore.blake3().update_file(f).digest() == want
            f.seek(len(data) + 10)
            assert hashcore.file_digest(f, "blake3").digest() == hashcore.digest("blake3")
    descriptor = os.open(file, os.O_RDONLY)
    os.lseek(descriptor, start, os.SEEK_SET)
    assert hashcore.file_digest(descriptor, "blake3").digest() == want
    assert os.lseek(descriptor, 0, os.SEEK_CUR) == len(data)
    os.close(descriptor)


def test_unwritten_bytes_of_a_file_object(tmp_path):
    with open(tmp_path / "new", "w+b") as f:
        f.write(b"in the buffer only")
        f.seek(3)
        assert hashcore.file_digest(f, "sha256").digest() == hashcore.digest("sha256", b"the buffer only")


def test_several_names_in_one_read(file):
    data = file.read_bytes()
    got = hashcore.file_digest(file, NAMES, threads=2)
    assert isinstance(got, tuple) and [h.digest() for h in got] == [hashcore.digest(name, data) for name in NAMES]
    (one,) = hashcore.file_digest(file, ["sha256"])
    assert one.name == "sha256"
    got = hashcore.file_digest(io.BytesIO(data), [hashcore.sha256, "blake3"])
    assert [h.digest() for h in got] == [hashcore.digest(name, data) for name in ("sha256", "blake3")]
    keyed = hashcore.file_digest(file, "blake3", key=b"k" * 32)
    assert keyed.digest() == hashcore.digest("blake3", data, key=b"k" * 32)
    assert hashcore.file_digest(file, "hmac-sha256", key=b"k").digest() == hashcore.digest("hmac-sha256", data, key=b"k")


class OnlyRead:
    def __init__(self, pieces):
        self.pieces = pieces

    def read(self, size):
        return self.pieces.pop(0)


def test_objects_without_a_plain_file(content, tmp_path):
    path = tmp_path / "file.gz"
    with gzip.open(path, "wb") as f:
        f.write(content[:100000])
    with gzip.open(path, "rb") as f:  # its descriptor is that of the compressed file
        assert hashcore.file_digest(f, "sha256").digest() == hashcore.digest("sha256", content[:100000])

    assert hashcore.file_digest(OnlyRead([b"abc", b"", b"never"]), "sha256").digest() == hashcore.digest("sha256", b"abc")

    class Blocking(io.RawIOBase):
        def readinto(self, buffer):
            return None

    with pytest.raises(BlockingIOError):
        hashcore.file_digest(Blocking(), "sha256")


# ---- Pipes, devices


def feed(descriptor, data):
    with open(descriptor, "wb") as f:
        f.write(data)


def test_pipes(content):
    for wrap in (lambda d: d, lambda d: open(d, "rb"), lambda d: open(d, "rb", buffering=0)):
        read, write = os.pipe()
        thread = threading.Thread(target=feed, args=(write, content))
        thread.start()
        end = wrap(read)
        assert hashcore.file_digest(end, "blake3", threads=2).digest() == hashcore.digest("blake3", content)
        thread.join()
        os.close(read) if end is read else end.close()


def test_what_a_buffered_pipe_holds_already():
    read, write = os.pipe()
    feed(write, b"first line\nthe rest")
    with open(read, "rb") as f:
        assert f.readline() == b"first line\n"
        assert hashcore.file_digest(f, "sha256").digest() == hashcore.digest("sha256", b"the rest")


def test_special_files(tmp_path, content):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = subprocess.Popen([sys.executable, "-c", f"open({str(fifo)!r}, 'wb').write(b'x' * 1000000)"])
    assert hashcore.file_digest(fifo, "sha256").digest() == hashcore.digest("sha256", b"x" * 1000000)
    assert writer.wait() == 0
    for name in NAMES:
        assert hashcore.file_digest(os.devnull, name, threads=2).digest() == hashcore.digest(name)
    program = "import hashcore; print(hashcore.file_digest('/dev/stdin', 'sha256').hexdigest())"
    done = subprocess.run([sys.executable, "-c", program], input=content, stdout=subprocess.PIPE, check=True)
    assert done.stdout.decode().strip() == hashcore.hexdigest("sha256", content)
    if os.path.exists("/proc/version"):  # whose size is said to be 0
        with open("/proc/version", "rb") as f:
            assert hashcore.file_digest("/proc/version", "blake3").digest() == hashcore.digest("blake3", f.read())


@pytest.mark.parametrize("threads", [0, 2])
def test_over_2_gib(tmp_path, threads):
    """A sparse file whose length does not fit 31 bits."""
    size = 2**31 + 1025
    path = tmp_path / "sparse"
    with open(path, "wb") as f:
        f.truncate(size)
    h, left = hashcore.blake3(max_threads=2), size
    zeros = bytes(64 << 20)
    while left:
        h.update(zeros[: min(left, len(zeros))])
        left -= min(left, len(zeros))
    assert hashcore.file_digest(path, "blake3", threads=threads).digest() == h.digest()


def test_memory_of_a_huge_sparse_file(tmp_path):
    path = tmp_path / "sparse"
    with open(path, "wb") as f:
        f.truncate(8 << 30)
    program = f"""
import hashcore, resource
class Stop(Exception): pass
def progress(done, total):
    if done >= 2 << 30: raise Stop
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try: hashcore.file_digest({str(path)!r}, "blake3", threads=2, progress=progress)
except Stop: pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=True)
    assert int(done.stdout) < 64 << 10  # KiB


# ---- Progress


def test_progress(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    seen = []
    here = threading.get_ident()

    def progress(done, total):
        assert threading.get_ident() == here
        seen.append((done, total))

    hashcore.file_digest(path, "blake3", progress=progress, threads=2)
    assert seen[-1] == (len(content), len(content)) and seen == sorted(seen)
    seen.clear()
    hashcore.file_digest(io.BytesIO(content), "blake3", progress=progress)
    assert seen[-1] == (len(content), None)
    with open(path, "rb") as f:
        f.seek(100)
        seen.clear()
        hashcore.file_digest(f, "sha256", progress=progress)
        assert seen[-1] == (len(content) - 100, len(content) - 100)


@pytest.mark.parametrize("kind", ["path", "descriptor", "buffered", "memory"])
def test_progress_that_raises_cancels(tmp_path, content, kind):
    path = tmp_path / "file"
    path.write_bytes(content)
    opened = {"path": lambda: path, "descriptor": lambda: os.open(path, os.O_RDONLY), "buffered": lambda: open(path, "rb"),
              "memory": lambda: io.BytesIO(content)}[kind]()

    def progress(done, total):
        raise ZeroDivisionError("stop")

    h = hashcore.blake3(b"before")
    with pytest.raises(ZeroDivisionError, match="stop"):
        h.update_file(opened, progress=progress, threads=2)
    assert h.digest() == hashcore.digest("blake3", b"before")
    if kind == "descriptor":
        os.close(opened)


def test_progress_that_uses_the_object(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    h = hashcore.sha256()
    with pytest.raises(RuntimeError, match="in the middle of another call"):
        h.update_file(path, progress=lambda done, total: h.digest())
    assert h.update_file(path).digest() == hashcore.digest("sha256", content)  # and is usable after it


def test_ctrl_c_in_a_pipe():
    """The pipe gives nothing; the signal ends the call, and the object is as before."""
    program = """
import hashcore, os, signal, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job inherits it ignored
read, write = os.pipe()
h = hashcore.sha256(b"before")
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    h.update_file(read)
except KeyboardInterrupt:
    print(h.digest() == hashcore.digest("sha256", b"before"))
"""
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, timeout=60)
    assert done.stdout.strip() == b"True"


def test_signal_handlers_run_meanwhile(tmp_path):
    path = tmp_path / "sparse"
    with open(path, "wb") as f:
        f.truncate(1 << 30)
    seen = []
    old = signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        hashcore.file_digest(path, "blake3")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert seen


# ---- Errors


def test_files_that_cannot_be_read(tmp_path):
    missing = tmp_path / "missing"
    h = hashcore.sha256(b"before")
    for call in (lambda f: hashcore.file_digest(f, "sha256"), h.update_file, h.update_mmap):
        with pytest.raises(FileNotFoundError) as error:
            call(missing)
        assert error.value.errno == errno.ENOENT and error.value.filename == str(missing)
        with pytest.raises(IsADirectoryError):
            call(tmp_path)
        with pytest.raises(OSError) as error:
            call(10**6)
        assert error.value.errno == errno.EBADF
        with pytest.raises(ValueError, match="null"):
            call("a\0b")
        with pytest.raises(ValueError, match="null"):
            call(b"a\0b")
        for bad in (None, 1.5, [], object()):
            with pytest.raises(TypeError, match="file"):
                call(bad)
        with pytest.raises((ValueError, OverflowError)):
            call(-1)
        with pytest.raises((ValueError, OverflowError)):
            call(2**40)
    assert h.digest() == hashcore.digest("sha256", b"before")


def test_file_objects_of_the_wrong_kind(tmp_path):
    path = tmp_path / "file"
    path.write_text("text")
    with open(path) as text, pytest.raises(TypeError, match="Strings must be encoded"):
        hashcore.file_digest(text, "sha256")
    with open(path, "wb") as write, pytest.raises((ValueError, OSError)):
        hashcore.file_digest(write, "sha256")
    with open(path, "rb") as f:
        pass
    with pytest.raises(ValueError, match="closed"):
        hashcore.file_digest(f, "sha256")
    descriptor = os.open(path, os.O_WRONLY)
    with pytest.raises(OSError) as error:
        hashcore.file_digest(descriptor, "sha256")
    assert error.value.errno == errno.EBADF
    os.close(descriptor)


def test_wrong_arguments(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"x")
    for kwargs, kind in (({"threads": -2}, ValueError), ({"threads": "2"}, TypeError), ({"progress": 1}, TypeError),
                         ({"threads": 1.5}, TypeError), ({"threads": 2**40}, ValueError), ({"nonsense": 1}, TypeError)):
        texts = set()
        for f in (path, io.BytesIO(b"x"), OnlyRead([b"x", b""])):
            with pytest.raises(kind) as error:
                hashcore.file_digest(f, "sha256", **kwargs)
            texts.add(str(error.value))
        assert len(texts) == 1, texts
    h = hashcore.sha256(b"before")
    with pytest.raises(ValueError, match="^threads .AUTO: -1.: -5 given"):
        h.update_file(io.BytesIO(b"x"), threads=-5)
    assert h.digest() == hashcore.digest("sha256", b"before")
    with pytest.raises(ValueError, match="unsupported"):
        hashcore.file_digest(path, "md5")
    with pytest.raises(TypeError):
        hashcore.file_digest(path, None)
    with pytest.raises(TypeError):
        hashcore.file_digest(path)
    for f in (path, io.BytesIO(b"x"), OnlyRead([b"x", b""])):
        for count in (0, 17):
            with pytest.raises(ValueError, match=f"^name: {count} names given, 1 to 16 allowed$"):
                hashcore.file_digest(f, ["sha256"] * count)
        assert [h.digest() for h in hashcore.file_digest(f, ["sha256"] * 16)] == [hashcore.digest("sha256", b"x")] * 16


@pytest.mark.parametrize("returned", [(1 << 20) + 1, 2**70, -1, -(2**70), "5", 1.0, b"xx", []])
def test_what_readinto_cannot_return(returned):
    """It is no number of bytes in the buffer: nothing of it is hashed."""
    class Wrong:
        reads = 0

        def readinto(self, buffer):
            self.reads += 1
            buffer[:3] = b"abc"
            return 3 if self.reads < 3 else returned if self.reads < 9 else 0

    h, other = hashcore.sha256(b"before"), hashcore.blake3()
    with pytest.raises(OSError) as error:
        h.update_file(Wrong())
    assert str(error.value) == f"file: readinto() returned {returned!r}, 0 to 1048576 allowed"
    with pytest.raises(OSError, match="readinto"):
        hashcore.file_digest(Wrong(), ["sha256", "blake3"])
    assert h.digest() == hashcore.digest("sha256", b"before") and other.digest() == hashcore.digest("blake3")


def test_what_read_cannot_return():
    for returned in ("", "text", 5, [1]):
        h = hashcore.sha256(b"before")
        with pytest.raises(TypeError, match="Strings must be encoded|buffer API"):
            h.update_file(OnlyRead([b"abc", returned]))
        assert h.digest() == hashcore.digest("sha256", b"before")
    with pytest.raises(BlockingIOError):
        hashcore.file_digest(OnlyRead([b"abc", None]), "sha256")


def test_a_file_that_fails_midway():
    class Failing(io.RawIOBase):
        reads = 0

        def readinto(self, buffer):
            self.reads += 1
            if self.reads == 3:
                raise OSError(errno.EIO, "failing disk")
            buffer[:10] = b"x" * 10
            return 10

    h = hashcore.sha256(b"before")
    with pytest.raises(OSError, match="failing disk"):
        h.update_file(Failing())
    assert h.digest() == hashcore.digest("sha256", b"before")


def test_a_descriptor_closed_by_another_thread(tmp_path):
    """Whatever comes of it is a digest or an OSError."""
    program = f"""
import hashcore, os, threading
path = {str(tmp_path / "sparse")!r}
open(path, "wb").truncate(1 << 30)
for threads in (0, 2):
    fd = os.open(path, os.O_RDONLY)
    timer = threading.Timer(0.02, os.close, (fd,))
    timer.start()
    try:
        hashcore.file_digest(fd, "blake3", threads=threads)
    except OSError as error:
        print(error.errno)
    timer.join()
print("end")
"""
    done = subprocess.run([sys.executable, "-X", "dev", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0 and done.stdout.endswith(b"end\n") and b"Fatal" not in done.stderr


def test_a_file_that_is_cut_meanwhile(tmp_path):
    """A mapping would kill the process."""
    program = f"""
import hashcore, os, threading
path = {str(tmp_path / "sparse")!r}
for threads in (0, 2):
    open(path, "wb").truncate(1 << 30)
    started = threading.Event()
    def cut():
        started.wait()
        os.truncate(path, 0)
    thread = threading.Thread(target=cut)
    thread.start()
    def progress(done, total):
        started.set()
    h = hashcore.blake3(b"before")
    try:
        h.update_mmap(path, threads=threads, progress=progress)
    except OSError as error:
        assert h.digest() == hashcore.digest("blake3", b"before")
    started.set()
    thread.join()
print("end")
"""
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0 and done.stdout == b"end\n", done.stderr


def test_a_name_that_is_no_utf8(tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"\xff\xfe")
    try:
        with open(path, "wb") as f:
            f.write(b"abc")
    except OSError:
        pytest.skip("this file system refuses such names")
    assert hashcore.file_digest(path, "sha256").digest() == hashcore.digest("sha256", b"abc")
    assert hashcore.file_digest(pathlib.Path(os.fsdecode(path)), "sha256").digest() == hashcore.digest("sha256", b"abc")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="hashlib.file_digest came with Python 3.11")
def test_as_hashlib(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    for name in ("sha256", "blake2b"):
        with open(path, "rb") as ours, open(path, "rb") as theirs:
            assert hashcore.file_digest(ours, name).digest() == hashlib.file_digest(theirs, name).digest()
            assert ours.tell() == theirs.tell()
