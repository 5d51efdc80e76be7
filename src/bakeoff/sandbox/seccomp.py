"""The system calls that code in a sandbox may not make, as a classic BPF program for seccomp.

What namespaces and resource limits leave open: a second process (which would multiply every limit and which
RLIMIT_NPROC does not stop for root), new namespaces, memory that counts for no address space (System V
shared memory, memfd), sockets that belong to no network namespace (vsock), and large kernel surface that no
solution needs (ptrace, bpf, perf, io_uring, keyrings, mounting). Threads stay.
"""

import errno
import platform
import struct
from collections.abc import Mapping

# Numbers by architecture: (x86_64, aarch64); None where there is no such call. Source: the kernel's syscall
# tables.
_DENIED: Mapping[str, tuple[int | None, int | None]] = {
    "fork": (57, None),
    "vfork": (58, None),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "quotactl": (179, 60),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "msgget": (68, 186),
}
_CLONE, _CLONE3, _SOCKET = (56, 220), (435, 435), (41, 198)
_AUDIT_ARCH = (0xC000003E, 0xC00000B7)
_MACHINES = {"x86_64": 0, "aarch64": 1, "arm64": 1}
_FAMILIES = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6: all inside the network namespace
_CLONE_THREAD, _NEW_NAMESPACES = 0x00010000, 0x7E020080
_X32 = 0x40000000

# linux/filter.h and linux/seccomp.h
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16


def machine_is_known() -> bool:
    """Whether there is a filter for this processor."""
    return platform.machine() in _MACHINES


def filter_program(machine: str | None = None) -> bytes:
    """The filter as an array of `struct sock_filter`, for `bwrap --seccomp`.

    Denied calls fail with EPERM; `clone3` with ENOSYS, so that the C library falls back to `clone`, whose
    flags can be read; another instruction set than the machine's own is killed.

    Raises:
        KeyError: no numbers for this machine; ask `machine_is_known` first.
    """
    column = _MACHINES[machine or platform.machine()]
    denied = [numbers[column] for numbers in _DENIED.values()]
    program = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, _AUDIT_ARCH[column]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        *_refused(_AT_LEAST, _X32, errno.EPERM),
        *_refused(_EQUAL, _CLONE3[column], errno.ENOSYS),
    ]
    for number in denied:
        if number is not None:
            program += _refused(_EQUAL, number, errno.EPERM)
    program += [
        # clone: only with CLONE_THREAD and without new namespaces
        (_EQUAL, 0, 5, _CLONE[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 0, 2, _CLONE_THREAD),
        (_ANY_BIT, 1, 0, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _ERROR | errno.EPERM),
        # socket: only the families that the network namespace holds
        (_EQUAL, 0, 2 + len(_FAMILIES), _SOCKET[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *((_EQUAL, len(_FAMILIES) - at, 0, family) for at, family in enumerate(_FAMILIES)),
        (_RETURN, 0, 0, _ERROR | errno.EAFNOSUPPORT),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in program)


def _refused(test: int, number: int, error: int) -> list[tuple[int, int, int, int]]:
    return [(test, 0, 1, number), (_RETURN, 0, 0, _ERROR | error)]
