"""What the servers in Python have in common: protobuf's encoding of any message, and the
answers to Echo and to Message. Written from frameworks/PROTOCOL.md.
"""
import functools

UNKNOWN = 2  # a status of gRPC and ttrpc
VARINT, BYTES = 0, 2  # wire types of protobuf


class Failed(Exception):
    """The status of a call that fails: a code and a text."""


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def decode(data):
    """The fields of a message: a list of number, wire type and value."""
    fields, at = [], 0
    while at < len(data):
        tag, at = read_varint(data, at)
        number, kind = tag >> 3, tag & 7
        if kind == VARINT:
            value, at = read_varint(data, at)
        elif kind == BYTES:
            size, at = read_varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            raise Failed(UNKNOWN, f"field {number} has the wire type {kind}")
        fields.append((number, kind, value))
    return fields


def encode(fields):
    out = []
    for number, kind, value in fields:
        out.append(varint(number << 3 | kind))
        if kind == BYTES:
            out += varint(len(value)), value
        else:
            out.append(varint(value))
    return b"".join(out)


def echo(fields):
    action = next((value.decode() for number, _, value in fields if number == 1), "")
    if action == "fail":
        raise Failed(UNKNOWN, "rpcbench: the request asked for this error")
    if action in ("", "echo"):
        return fields
    name, _, size = action.partition("/")
    if name != "reply" or not size.isdecimal():
        raise Failed(UNKNOWN, f"rpcbench: not implemented: the action {action}")
    msg = next((value for number, _, value in fields if number == 2), b"")
    begin = int.from_bytes(msg[:3], "little") % STARTS
    return [(1, BYTES, action.encode()), (2, BYTES, sequence(STARTS + int(size))[begin : begin + int(size)])]


STARTS = 1 << 20


@functools.cache
def sequence(size):
    """That many bytes of SplitMix64, or a few more."""
    mask, out = (1 << 64) - 1, bytearray()
    for step in range(1, size // 8 + 2):
        z = step * 0x9E3779B97F4A7C15 & mask
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        out += (z ^ z >> 31).to_bytes(8, "little")
    return bytes(out)


def message(fields, field1="OK"):
    rest = [field for field in fields if field[0] not in (1, 2)]
    return [(1, BYTES, field1.encode()), (2, VARINT, 100)] + rest
