"""Attempts to get out of a sandbox or to outlast it, each run for real on the tier that works here."""

import os
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bakeoff.sandbox import Ended, Guest, Limits
from bakeoff.sandbox.guest import _setpriv
from tests.sandbox.asking import QUICK, answer

TRY = """
import os, sys
def attempt(*what):
    try:
        return ["did", what[0](*what[1:])]
    except BaseException as error:
        return ["failed", type(error).__name__, getattr(error, "errno", None)]
"""


@pytest.fixture
def bubblewrap(tier):
    if not tier.name.startswith("bubblewrap"):
        pytest.skip(f"about system calls, and this machine's sandbox is {tier.name}")
    return tier


def test_the_network_is_unreachable(tier):
    code = (
        TRY
        + """
import socket
def f(port):
    out = []
    for address in [("1.1.1.1", 53), ("192.0.2.1", 9), ("127.0.0.1", port)]:
        out.append(attempt(socket.create_connection, address, 1)[0])
    return out
"""
    )
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert answer(tier, code, server.getsockname()[1]) == ["failed"] * 3
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()


def test_sockets_outside_of_any_network_namespace_cannot_be_made(bubblewrap):
    code = (
        TRY
        + """
import socket
def f():
    families = {"vsock": 40, "netlink": 16, "packet": 17, "algorithm": 38}
    return [attempt(socket.socket, family, socket.SOCK_STREAM)[0] for family in families.values()]
"""
    )
    assert answer(bubblewrap, code) == ["failed"] * 4


def test_files_of_the_host_are_not_there(tier, tmp_path):
    secret = tmp_path / "answers.json"
    secret.write_text("42")
    code = (
        TRY
        + """
def f(paths):
    return [attempt(open, path)[0] for path in paths]
"""
    )
    paths = [
        str(secret),
        "/etc/passwd",
        "/etc/shadow",
        str(Path.home() / ".profile"),
        "/proc/1/environ",
        "/sys/kernel/uevent_seqnum",
    ]
    assert answer(tier, code, paths) == ["failed"] * len(paths)


def test_folders_of_the_host_are_not_there(tier):
    code = "import os\ndef f(paths): return [os.path.exists(p) and bool(os.listdir(p)) for p in paths]"
    here = str(Path(__file__).resolve().parents[2])
    assert (
        answer(tier, code, [here, "/home", str(Path.home()), "/var", "/proc", "/sys", "/usr/src"])
        == [False] * 7
    )


def test_installed_packages_and_our_own_source_are_not_there(tier):
    code = (
        TRY
        + """
def f():
    return [attempt(__import__, name)[0] for name in ("bakeoff", "numpy", "pip", "yaml")]
"""
    )
    assert answer(tier, code) == ["failed"] * 4


def test_nothing_of_the_environment_is_there(tier, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    said = answer(tier, "import os\ndef f():\n    return [key + '=' + os.environ[key] for key in os.environ]")
    here = str(Path(__file__).resolve().parents[2])
    assert not [entry for entry in said if "secret" in entry or here in entry or "API" in entry]


def test_only_one_folder_can_be_written(tier):
    code = (
        TRY
        + """
def f(paths):
    return [attempt(lambda path: open(path, "w").write("x"), path)[0] for path in paths]
"""
    )
    folders = ["/", "/usr/lib/", "/dev/", "/dev/shm/", "/lib/", "/etc/", "/var/tmp/"]
    assert answer(tier, code, [f"{folder}x" for folder in folders]) == ["failed"] * len(folders)
    assert answer(tier, code, ["x"]) == ["did"] or tier.name.startswith("wasmtime")


def test_a_full_disk_is_full_at_its_limit(bubblewrap):
    code = """
def f():
    written, name = 0, 0
    try:
        while written < 1 << 30:
            name += 1
            with open(f"/tmp/{name}", "wb") as file:
                for _ in range(8):
                    written += file.write(bytes(1 << 20))
    except OSError as error:
        return [written, error.errno]
    return [written, None]
"""
    written, error = answer(bubblewrap, code)
    assert error == 28
    assert written <= QUICK.disk_mb << 20


def test_memory_ends_at_its_limit(tier):
    assert answer(tier, "def f():\n    return len(bytearray(1 << 29))")["fault"]["error"] == "MemoryError"


@pytest.mark.parametrize("call", ["shmget", "memfd_create"])
def test_memory_that_is_in_no_address_space_cannot_be_had(bubblewrap, call):
    code = f"""
import ctypes, os
def f():
    libc = ctypes.CDLL(None, use_errno=True)
    if "{call}" == "shmget":
        return [libc.shmget(0, 1 << 28, 0o1600), ctypes.get_errno()]
    return [libc.memfd_create(b"x", 0), ctypes.get_errno()]
"""
    assert answer(bubblewrap, code) == [-1, 1]


def test_a_busy_loop_ends_by_processor_time(tier):
    started = time.monotonic()
    with pytest.raises(Ended) as ended:
        answer(tier, "def f():\n    while True: pass", limits=Limits(cpu_s=1, wall_s=60))
    assert ended.value.kind == "timeout"
    assert time.monotonic() - started < 60


def test_ignoring_the_signal_of_the_processor_limit_ends_one_second_later(bubblewrap):
    code = "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\ndef f():\n    while True: pass"
    with pytest.raises(Ended) as ended:
        answer(bubblewrap, code, limits=Limits(cpu_s=1, wall_s=60))
    assert "SIGKILL" in ended.value.why


def test_sleeping_ends_by_the_clock(tier):
    with pytest.raises(Ended) as ended:
        answer(tier, "import time\ndef f():\n    time.sleep(1000)", limits=Limits(wall_s=1))
    assert ended.value.kind == "timeout"


def test_limits_cannot_be_raised_again(bubblewrap):
    code = (
        TRY
        + """
import resource
def f():
    kinds = [resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE]
    raised = [attempt(resource.setrlimit, kind, (-1, -1))[0] for kind in kinds]
    return raised + [resource.getrlimit(resource.RLIMIT_AS)[1]]
"""
    )
    assert answer(bubblewrap, code) == ["failed"] * 4 + [QUICK.memory_mb << 20]


@pytest.mark.parametrize(
    "way",
    [
        "os.fork()",
        "os.posix_spawn('/usr/bin/env', ['env'], {})",
        "__import__('subprocess').run(['/usr/bin/env'])",
        "__import__('subprocess').run('true', shell=True)",
        "__import__('pty').fork()",
        "__import__('multiprocessing').get_context('fork').Process(target=print).start()",
        "__import__('multiprocessing').get_context('spawn').Process(target=print).start()",
        "libc(57 if machine == 'x86_64' else 220)",  # fork
        "libc(58 if machine == 'x86_64' else 220)",  # vfork
        "libc(56 if machine == 'x86_64' else 220, 17, 0, 0, 0, 0)",  # clone with SIGCHLD
        "libc(435, 0, 0)",  # clone3
    ],
)
def test_no_second_process_however_it_is_asked_for(tier, way):
    """A fork bomb needs one fork; what bounds processes for root is that there is none."""
    code = (
        TRY
        + f"""
machine = os.uname().machine
def libc(number, *arguments):
    import ctypes
    c = ctypes.CDLL(None, use_errno=True)
    value = c.syscall(number, *arguments)
    if value < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return value
def f():
    me = os.getpid()
    said = attempt(lambda: {way})
    if os.getpid() != me:
        os._exit(0)
    return said[0]
"""
    )
    assert answer(tier, code) == "failed"


def test_a_fork_bomb_leaves_one_process(tier):
    code = """
import os
def f():
    forks = 0
    for _ in range(1000):
        try:
            if os.fork() == 0:
                while True: pass
            forks += 1
        except (OSError, AttributeError):
            pass
    return forks
"""
    assert answer(tier, code) == 0


def test_a_bomb_of_threads_stops_at_the_limit(bubblewrap):
    code = """
import threading, time
threading.stack_size(1 << 16)
def f():
    started = 0
    try:
        while started < 2000:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            started += 1
    except BaseException:
        pass
    return started
"""
    assert answer(bubblewrap, code) < QUICK.threads


def test_threads_can_be_used(bubblewrap):
    code = """
from concurrent.futures import ThreadPoolExecutor
def f():
    with ThreadPoolExecutor(4) as pool:
        return sum(pool.map(abs, range(-9, 1)))
"""
    assert answer(bubblewrap, code) == 45


@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        ((272, 97), (0x10000000,)),  # unshare(CLONE_NEWUSER)
        ((272, 97), (0x00020000,)),  # unshare(CLONE_NEWNS)
        ((56, 220), (0x10000000 | 17, 0, 0, 0, 0)),  # clone(CLONE_NEWUSER | SIGCHLD)
        ((308, 268), (0, 0)),  # setns
        ((165, 40), (b"none", b"/tmp", b"tmpfs", 0, 0)),  # mount
        ((101, 117), (0, 1, 0, 0)),  # ptrace
        ((321, 280), (0, 0, 0)),  # bpf
        ((298, 241), (0, 0, -1, -1, 0)),  # perf_event_open
        ((425, 425), (1, 0)),  # io_uring_setup
        ((323, 282), (0,)),  # userfaultfd
        ((250, 219), (0, -3, 1)),  # keyctl
        ((310, 270), (1, 0, 0, 0, 0, 0)),  # process_vm_readv
        ((304, 265), (0, 0, 0)),  # open_by_handle_at
        ((155, 41), (b"/", b"/")),  # pivot_root
        ((161, 51), (b"/tmp",)),  # chroot
    ],
)
def test_nested_namespaces_and_dangerous_calls_are_refused(bubblewrap, number, arguments):
    code = """
import ctypes, os
def f(numbers, arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    number = numbers[0 if os.uname().machine == "x86_64" else 1]
    return [libc.syscall(number, *arguments), ctypes.get_errno()]
"""
    assert answer(bubblewrap, code, number, arguments) == [-1, 1]


def test_the_other_numbering_of_the_same_calls_is_refused(bubblewrap):
    """x32 on x86-64: the same kernel functions under numbers a filter may have forgotten."""
    if os.uname().machine != "x86_64":
        pytest.skip("x86-64 only")
    code = "import ctypes\ndef f():\n    return ctypes.CDLL(None).syscall(0x40000000 + 57)"
    assert answer(bubblewrap, code) == -1


def test_a_signal_to_everyone_reaches_nobody_else(tier):
    code = TRY + "import signal\ndef f():\n    attempt(os.kill, -1, signal.SIGKILL)\n    return 'alive'"
    with Guest(tier, "candidate", QUICK) as bystander:
        bystander.send(repr(["def f(): return 1"]))
        bystander.receive()
        assert answer(tier, code) == "alive" or tier.name.startswith("wasmtime")
        bystander.send("['f', (), {}]")
        assert bystander.receive() == {"value": 1}


def test_nothing_survives_the_end(bubblewrap):
    """Threads and a process that left its group and ignores every signal."""
    code = """
import os, signal, threading, time
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
def f(mark):
    threading.Thread(target=time.sleep, args=(600,)).start()
    try:
        os.setsid()
    except OSError:
        pass
    os.execve(EXECUTABLE, [EXECUTABLE, "-c", "import time; time.sleep(600)", mark], {})
"""
    mark = f"survivor-{os.getpid()}-{time.monotonic_ns()}"
    code = f"EXECUTABLE = {bubblewrap.interpreter.executable!r}\n{code}"
    with Guest(bubblewrap, "candidate", Limits(wall_s=3)) as guest:
        guest.send(repr([code]))
        guest.receive()
        guest.send(repr(["f", (mark,), {}]))
        with pytest.raises(Ended):
            guest.receive()
        assert _running(mark)  # it was there, so that its absence means something
    deadline = time.monotonic() + 10
    while _running(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _running(mark)


def _running(mark: str) -> bool:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "cmdline").read_bytes():
                return True
        except OSError:
            continue
    return False


def test_it_runs_as_nobody_without_capabilities(bubblewrap):
    code = """
import ctypes, os
def f():
    PR_CAPBSET_READ, PR_GET_NO_NEW_PRIVS = 23, 39
    libc = ctypes.CDLL(None)
    bounding = [libc.prctl(PR_CAPBSET_READ, n, 0, 0, 0) for n in range(38)]
    no_new = libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
    return [os.getuid(), os.geteuid(), os.getgid(), sum(bounding), no_new]
"""
    assert answer(bubblewrap, code) == [65534, 65534, 65534, 0, 1]


@pytest.mark.skipif(os.geteuid() != 0, reason="about being started by root")
@pytest.mark.parametrize("setpriv", [True, False], ids=["by setpriv", "by ourselves"])
def test_started_by_root_it_is_another_user_to_the_host(bubblewrap, monkeypatch, setpriv):
    if not setpriv:
        monkeypatch.setattr("bakeoff.sandbox.guest._setpriv", lambda: None)
    elif _setpriv() is None:
        pytest.skip("no setpriv that changes users")
    with Guest(bubblewrap, "candidate", QUICK) as guest:
        guest.send(repr(["def f(): return 1"]))
        guest.receive()
        status = Path(f"/proc/{guest.process_id}/status").read_text()
    facts = dict(line.split(":", 1) for line in status.splitlines())
    assert "0" not in facts["Uid"].split() + facts["Gid"].split() + facts["Groups"].split()
    assert int(facts["CapPrm"], 16) == int(facts["CapEff"], 16) == 0


@pytest.mark.parametrize(
    "flood",
    [
        "while True: os.write(1, b'x' * 65536)",
        "while True: print('x' * 65536)",
        "while True: os.write(2, b'x' * 65536)",
        "while True: os.write(channel(), b'x' * 65536)",
        "while True: os.write(channel(), b'\\n' * 65536)",
    ],
)
def test_a_flood_of_output_ends_at_a_limit(tier, flood):
    """Past the channel, and into it: with no line end, and with nothing else."""
    code = f"""
import gc, os
def channel():
    return next(o for o in gc.get_objects() if type(o).__name__ == "Channel").output
def f():
    {flood}
"""
    with pytest.raises(Ended) as ended:
        answer(tier, code, limits=Limits(cpu_s=2, wall_s=20, output_mb=4))
    # Prints go nowhere where they can be sent there; then the flood costs its own time only.
    assert ended.value.kind == "output" or "channel" not in flood


@pytest.mark.parametrize(
    "value",
    [
        "'x' * (1 << 24)",
        "[0] * (1 << 22)",
        "1 << (1 << 26)",
        "bytes(1 << 23)",
        "iter(int, 1)",
        "__import__('itertools').repeat('x' * 999)",
        "deep(100000)",
        "cyclic()",
        "{i: i for i in range(1 << 18)}",
    ],
)
def test_a_value_too_large_or_too_deep_is_refused_where_it_is_made(tier, value):
    code = f"""
def deep(n):
    value = []
    for _ in range(n):
        value = [value]
    return value
def cyclic():
    value = []
    value.append(value)
    return value
def f():
    return {value}
"""
    reply = answer(tier, code)
    assert set(reply) & {"too_much", "fault"}, str(reply)[:200]


def test_what_is_sent_on_the_pipe_is_bounded_and_read_as_data(tier):
    """Straight to the pipe, past the guest's own checks: too deep, no JSON, no text, numbers without end."""
    for forged in ["[" * 100_000, "{", "\\xff\\xfe", "1" * 5000, '{"value":' + "[" * 5000]:
        code = f"""
import gc, os
def f():
    channel = next(o for o in gc.get_objects() if type(o).__name__ == "Channel")
    channel.write({forged!r}) if {forged.isascii()} else None
    os._exit(0)
"""
        with pytest.raises(Ended) as ended:
            answer(tier, code)
        assert ended.value.kind in ("malformed", "exit")


def test_sandboxes_run_side_by_side_from_threads(tier):
    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda n: answer(tier, "def f(n): return n * n", n), range(24)))
    assert said == [n * n for n in range(24)]
    assert threading.active_count() < 50


def test_no_descriptor_of_ours_is_inherited(bubblewrap, tmp_path):
    code = """
import os, stat
def f():
    found = []
    for fd in range(3, 64):
        try:
            found.append(stat.filemode(os.fstat(fd).st_mode)[0])
        except OSError:
            pass
    return found
"""
    kept = [os.open(tmp_path / f"{n}", os.O_CREAT | os.O_RDWR) for n in range(5)]
    for descriptor in kept:
        os.set_inheritable(descriptor, True)
    try:
        # The two ends of the channel and /dev/null.
        assert sorted(answer(bubblewrap, code)) == ["c", "p", "p"]
    finally:
        for descriptor in kept:
            os.close(descriptor)
