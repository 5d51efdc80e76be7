"""GGUF files small enough to write by hand."""

import struct

U32, F32, BOOL, STRING, ARRAY, U64 = 4, 6, 7, 8, 9, 10


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def entry(key, kind, value):
    return text(key) + struct.pack("<I", kind) + _value(kind, value)


def strings(key, values):
    body = b"".join(text(value) for value in values)
    return text(key) + struct.pack("<IIQ", ARRAY, STRING, len(values)) + body


def numbers(key, values):
    body = struct.pack(f"<{len(values)}f", *values)
    return text(key) + struct.pack("<IIQ", ARRAY, F32, len(values)) + body


def tensor(name, offset, dimensions=(4, 4)):
    sizes = struct.pack(f"<I{len(dimensions)}Q", len(dimensions), *dimensions)
    return text(name) + sizes + struct.pack("<IQ", 0, offset)


def gguf(entries, tensors=(), data=b"", version=3):
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(entries))
    return head + b"".join(entries) + b"".join(tensors) + data


def _value(kind, value):
    if kind == STRING:
        return text(value)
    return struct.pack({U32: "<I", F32: "<f", BOOL: "<?", U64: "<Q"}[kind], value)
