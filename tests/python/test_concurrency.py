"""Threads, signals, forks and interpreters: the GIL is released, objects are locked, nothing hangs."""
import ast
import asyncio
import gc
import mmap
import os
import subprocess
import sys
import threading
import time

import pytest

import hashcore

BIG = 32 << 20


def run(program, *arguments, timeout=60, **options):
    """Output of a program in another process; its time limit is only there to end a hang."""
    return subprocess.run([sys.executable, "-X", "dev", "-c", program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=timeout, **options)


def while_counting(call):
    """How far another thread counted during the call."""
    state = {"n": 0, "stop": False}
    started = threading.Event()

    def count():
        started.set()
        while not state["stop"]:
            state["n"] += 1

    thread = threading.Thread(target=count)
    thread.start()
    started.wait()
    before = state["n"]
    try:
        call()
        return state["n"] - before
    finally:
        state["stop"] = True
        thread.join()


@pytest.fixture
def never_switching():
    """Threads change only where the GIL is given away."""
    old = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(old)


needs_gil = pytest.mark.skipif(not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="there is no GIL to release")


@needs_gil
def test_the_gil_is_released():
    data = bytes(256 << 20)
    calls = [
        lambda: hashcore.sha256(data), lambda: hashcore.blake2b().update(data), lambda: hashcore.digest("blake3", data),
        lambda: hashcore.digest_many("sha256", data, item_size=1 << 20), lambda: hashcore.xor(data, data),
        lambda: hashcore.blake3().digest(256 << 20), lambda: hashcore.hmac_sha256(b"k", data),
    ]
    for call in calls:
        assert while_counting(call) > 100


@needs_gil
def test_small_calls_keep_the_gil(monkeypatch):
    """A call at the threshold keeps it, one above gives it away; users may set the threshold."""
    import _thread

    seen = []

    def other():
        seen.append(1)

    old = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        for limit, size, released in ((5000, 5000, False), (5000, 5001, True), (10**9, BIG, False), (0, 600, True)):
            monkeypatch.setattr(hashcore, "GIL_MINSIZE", limit)
            data = bytes(size)
            h = hashcore.blake3()
            seen.clear()
            _thread.start_new_thread(other, ())
            for _ in range(20000 if size < BIG else 1):
                h.update(data)
                if seen:
                    break
            ran = bool(seen)
            sys.setswitchinterval(1e-6)
            while not seen:
                time.sleep(0.001)
            sys.setswitchinterval(1000)
            assert ran is released, (limit, size)
    finally:
        sys.setswitchinterval(old)
    for bad, kind in (("1", TypeError), (None, TypeError), (1.5, TypeError), (-1, ValueError)):
        monkeypatch.setattr(hashcore, "GIL_MINSIZE", bad)
        h = hashcore.sha256(b"x")
        for call in (lambda: h.update(bytes(1000)), lambda: hashcore.sha256(bytes(1000)), lambda: hashcore.digest("sha256", bytes(1000)),
                     lambda: hashcore.digest_many("sha256", [bytes(1000)] * 9), lambda: hashcore.xor(bytes(1000))):
            with pytest.raises(kind, match="GIL_MINSIZE"):
                call()
        assert h.update(b"y").digest() == hashcore.digest("sha256", b"xy")


@pytest.mark.parametrize("name", ["sha224", "sha256", "blake2b", "blake3"])
@pytest.mark.parametrize("size", [10, 600, 100_000, 17 << 20])
def test_many_threads_on_one_object(name, size):
    """All pieces are the same, so that the order is no matter: each must count once."""
    data = b"x" * size
    rounds = max(1, min(200, (40 << 20) // size // 8))
    h = hashcore.new(name)
    errors = []

    def work():
        try:
            for _ in range(rounds):
                h.update(data)
                h.copy().digest()
                h.hexdigest()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    expected = hashcore.new(name)
    for _ in range(6 * rounds):
        expected.update(data)
    assert not errors and h.digest() == expected.digest()


def test_one_object_in_every_way_at_once(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(3 << 20))
    h = hashcore.blake3(b"x", key=bytes(32))
    stop = time.monotonic() + 1.0
    errors = []

    def work(call):
        try:
            while time.monotonic() < stop:
                call()
        except BaseException as error:
            errors.append(error)

    calls = [
        lambda: h.update(bytes(100)), lambda: h.update(bytes(1 << 20)), lambda: h.update_file(path), h.reset, h.copy, h.digest,
        lambda: h.digest(1 << 20), h.export, lambda: h.reader().read(100), lambda: hashcore.restore("blake3", h.export()),
        gc.collect, lambda: (h.name, h.digest_size),
    ]
    threads = [threading.Thread(target=work, args=(call,)) for call in calls]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors and h.reset().digest() == hashcore.digest("blake3", key=bytes(32))


def test_buffers_cannot_be_pulled_away():
    """A bytearray that another thread wants to resize, a memoryview that it wants to release."""
    buffer = bytearray(BIG)
    view = memoryview(bytearray(BIG))
    want = hashcore.digest("sha256", buffer)
    refused = []
    stop = threading.Event()

    def pull():
        while not stop.is_set():
            try:
                buffer.append(0)
                buffer.pop()
            except BufferError:
                refused.append(1)
            try:
                view.release()
            except BufferError:
                refused.append(2)
                time.sleep(0)

    thread = threading.Thread(target=pull)
    thread.start()
    try:
        for _ in range(5):
            assert hashcore.sha256(buffer).digest() in (want, hashcore.digest("sha256", bytes(BIG + 1)))
            try:
                assert hashcore.digest("sha256", view) == want
            except ValueError:  # released before the call
                break
    finally:
        stop.set()
        thread.join()


# ---- Signals


@pytest.mark.parametrize("call", [
    "h.update(data)", "h.update(data, data)", "hashcore.sha256(data)", "hashcore.digest('sha256', data)",
    "hashcore.hexdigest('blake3', data, threads=2)", "hashcore.blake3(data, max_threads=2)", "h.update_file(file)",
    "hashcore.file_digest(file, ['sha256', 'blake3'], threads=2)",
])
def test_ctrl_c(call, tmp_path):
    """A mapped sparse file of 10 GB: the call ends with KeyboardInterrupt, the object is as before."""
    program = """
import hashcore, mmap, os, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job inherits it ignored
file = sys.argv[1]
with open(file, "wb") as f:
    f.truncate(10_000_000_000)
with open(file, "rb") as f:
    data = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
h = hashcore.sha256(b"before")
sent = 0
def interrupt():
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.3, interrupt).start()
try:
    CALL
except KeyboardInterrupt:
    took = time.monotonic() - sent
    print(h.digest() == hashcore.digest("sha256", b"before"), took)
""".replace("CALL", call)
    done = run(program, str(tmp_path / "sparse"))
    same, took = done.stdout.split()
    assert same == "True", done.stderr
    print(f"{call}: {float(took):.3f} s after the signal")


def test_a_handler_that_uses_the_object(tmp_path):
    """No deadlock on the object's own lock."""
    program = """
import hashcore, signal
h = hashcore.sha256(b"x")
seen = []
def handler(*_):
    try:
        h.update(b"from the handler")
    except RuntimeError as error:
        seen.append(str(error))
signal.signal(signal.SIGALRM, handler)
data = bytes(200 << 20)
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)  # again and again: one may come between two updates
while not seen:
    h.update(data)
signal.setitimer(signal.ITIMER_REAL, 0)
print(seen[0])
"""
    assert "in the middle of another call" in run(program).stdout


# ---- Forks


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("threads", [2, -1])
def test_fork_after_threads(threads):
    """The child's own threads start anew."""
    data = bytes(64 << 20)
    h = hashcore.blake3(max_threads=threads)
    want = h.update(data).copy().update(data).digest()
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(write, h.update(data).digest() + hashcore.digest("blake3", data, threads=threads))
        finally:
            os._exit(0)
    os.close(write)
    deadline = time.monotonic() + 60
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        assert time.monotonic() < deadline, os.kill(child, 9)
        time.sleep(0.01)
    with os.fdopen(read, "rb") as f:
        assert f.read() == want + hashcore.digest("blake3", data)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_while_another_thread_hashes():
    program = """
import hashcore, os, threading, time
data = bytes(64 << 20)
h = hashcore.blake3(max_threads=2)
stop = False
def work():
    while not stop:
        hashcore.digest("blake3", data, threads=2)
thread = threading.Thread(target=work)
thread.start()
for _ in range(5):
    time.sleep(0.02)
    child = os.fork()
    if not child:
        ok = hashcore.digest("blake3", data, threads=2) == hashcore.digest("blake3", data)
        os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
stop = True
thread.join()
print("end")
"""
    assert run(program).stdout == "end\n"


def test_a_pool_of_processes():
    program = """
import hashcore, multiprocessing
def work(n):
    return hashcore.hexdigest("blake3", bytes(n), threads=2)
if __name__ == "__main__":
    work(8 << 20)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(work, [8 << 20] * 4) == [work(8 << 20)] * 4
    print("end")
"""
    assert run(program).stdout == "end\n"


# ---- Interpreters


def test_reload_and_collect():
    program = """
import gc, sys, weakref
for _ in range(20):
    import hashcore
    h = hashcore.blake3(b"x")
    for name in [n for n in sys.modules if n.startswith("hashcore")]:
        del sys.modules[name]
    assert h.update(bytes(100000)).digest()
    del hashcore
    gc.collect()
print("end")
"""
    done = run(program)
    assert done.stdout == "end\n", done.stderr


@pytest.mark.skipif(sys.version_info < (3, 12), reason="interpreters with their own GIL came with Python 3.12")
def test_isolated_interpreters():
    program = """
import sys, threading
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import hashcore
code = '''
import hashcore
assert hashcore.hexdigest("sha256", b"abc").startswith("ba7816bf")
for _ in range(20):
    assert hashcore.blake3(bytes(1 << 20)).digest() == hashcore.digest("blake3", bytes(1 << 20), threads=2)
try:
    hashcore.bao.decode(bytes(9), bytes(32))
except hashcore.VerificationError:
    pass
except ValueError:
    pass
'''
def work():
    try:
        ident = interpreters.create("isolated")
    except TypeError:
        ident = interpreters.create()
    failed = interpreters.run_string(ident, code)
    assert not failed, failed
    interpreters.destroy(ident)
threads = [threading.Thread(target=work) for _ in range(4)]
for t in threads: t.start()
for t in threads: t.join()
print(hashcore.hexdigest("sha256", b"abc")[:8])
"""
    done = run(program)
    assert done.stdout == "ba7816bf\n" and "Error" not in done.stderr, done.stderr


def test_free_threading_is_declared():
    if not hasattr(sys, "_is_gil_enabled"):
        source = os.path.join(os.path.dirname(__file__), "..", "..", "bindings", "python", "src", "module.c")
        with open(source) as f:
            assert "Py_MOD_GIL_NOT_USED" in f.read()
        return
    import sysconfig

    done = run("import sys, hashcore; print(sys._is_gil_enabled())")
    free = sysconfig.get_config_var("Py_GIL_DISABLED")
    assert done.stdout.strip() == ("False" if free else "True")


def test_asyncio(never_switching):
    """The loop goes on while threads hash, in one of many rounds: on a busy machine it may have to wait for a processor in some."""
    data = bytes(100 << 20)
    want = hashcore.digest("blake3", data)

    async def main():
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        def hashed():
            before = ticks
            return hashcore.digest("blake3", data), ticks - before

        ticker = asyncio.create_task(tick())
        for _ in range(50):
            results = await asyncio.gather(*(asyncio.to_thread(hashed) for _ in range(2)))
            assert [digest for digest, _ in results] == [want] * 2
            if max(during for _, during in results) > 5:
                break
        else:
            raise AssertionError("the loop stands still while threads hash")
        ticker.cancel()

    asyncio.run(main())


def test_threads_are_joined(tmp_path):
    """More than one during, one after."""
    program = """
import hashcore, os, threading, time
def count():
    return len(os.listdir("/proc/self/task"))
data = bytes(256 << 20)
most = 0
done = False
def watch():
    global most
    while not done:
        most = max(most, count())
watcher = threading.Thread(target=watch)
watcher.start()
for _ in range(3):
    hashcore.digest("blake3", data, threads=2)
done = True
watcher.join()
deadline = time.monotonic() + 10
while count() > 1 and time.monotonic() < deadline:  # the watcher's own thread may take a moment to go
    time.sleep(0.01)
print(most, count())
"""
    if not os.path.isdir("/proc/self/task"):
        pytest.skip("no /proc")
    most, after = ast.literal_eval(",".join(run(program).stdout.split()))
    assert most >= 3 and after == 1


def test_a_mapping_that_is_closed_meanwhile(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(BIG))
    with open(path, "rb") as f:
        data = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
    refused = []
    stop = threading.Event()

    def close():
        while not stop.is_set():
            try:
                data.close()
                return
            except BufferError:
                refused.append(1)

    thread = threading.Thread(target=close)
    thread.start()
    try:
        assert hashcore.digest("blake3", data) == hashcore.digest("blake3", bytes(BIG))
    except ValueError:  # closed before the call
        pass
    finally:
        stop.set()
        thread.join()
