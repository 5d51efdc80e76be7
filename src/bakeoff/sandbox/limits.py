"""What a sandboxed process may use."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings of one sandbox; all above 0.

    `cpu_s` are seconds of processor time, so that a busy machine changes no verdict; `wall_s`, counted from
    when the sandbox is ready, ends what sleeps or waits. `memory_mb` is address space and `disk_mb` the only
    writable folder, both in MiB. `threads` are the tasks of the one process there may be (not enforced by
    every tier for every user). `output_mb` is all it may say, in MiB; `message_mb` one value it returns, as
    text.
    """

    cpu_s: float = 10.0
    wall_s: float = 30.0
    memory_mb: int = 512
    disk_mb: int = 64
    threads: int = 32
    output_mb: int = 16
    message_mb: int = 4

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, got {getattr(self, name)}")
