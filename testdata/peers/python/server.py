"""A server of ttrpc by Python's standard library, written from frameworks/PROTOCOL.md.

    python3 server.py [PORT [FIELD1]]

It has no streams, and no workloads. FIELD1 is what it answers for field1, OK unless a
test wants a wrong answer.
"""
import asyncio
import functools
import struct
import sys

FIELD1 = sys.argv[2] if len(sys.argv) > 2 else "OK"
REQUEST, RESPONSE = 1, 2  # types of frames
HEADER = struct.Struct(">IIBB")  # length, stream, type, flags
UNKNOWN, UNIMPLEMENTED = 2, 12  # codes of a status
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


def message(fields):
    rest = [field for field in fields if field[0] not in (1, 2)]
    return [(1, BYTES, FIELD1.encode()), (2, VARINT, 100)] + rest


METHODS = {(b"rpcbench.Bencher", b"Echo"): echo, (b"rpcbench.Bencher", b"Message"): message}


def answer(request):
    """The response to a request, both as ttrpc's own messages."""
    parts = {number: value for number, _, value in decode(request)}
    method = METHODS.get((parts.get(1), parts.get(2)))
    try:
        if method is None:
            raise Failed(UNIMPLEMENTED, f"{parts.get(1)}/{parts.get(2)}")
        reply = encode(method(decode(parts.get(3, b""))))
        return encode([(2, BYTES, reply)])
    except Failed as failed:
        code, text = failed.args
        return encode([(1, BYTES, encode([(1, VARINT, code), (2, BYTES, text.encode())]))])


async def serve(reader, writer):
    """Answers the requests of a connection in their order."""
    try:
        while True:
            size, stream, kind, _ = HEADER.unpack(await reader.readexactly(HEADER.size))
            request = await reader.readexactly(size)
            if kind != REQUEST:
                continue  # data of a stream that was refused
            response = answer(request)
            writer.write(HEADER.pack(len(response), stream, RESPONSE, 0) + response)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass  # the client has gone
    finally:
        writer.close()


async def main():
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    server = await asyncio.start_server(serve, "127.0.0.1", port, backlog=4096)
    print("listening on %s:%d" % server.sockets[0].getsockname(), flush=True)
    await server.serve_forever()


asyncio.run(main())
