"""A server of ttrpc by Python's standard library, written from frameworks/PROTOCOL.md.

    python3 server.py [PORT [FIELD1]]

It has no streams, and no workloads. FIELD1 is what it answers for field1, OK unless a
test wants a wrong answer.
"""
import asyncio
import struct
import sys

sys.dont_write_bytecode = True  # this directory is of the source
from messages import BYTES, UNKNOWN, VARINT, Failed, decode, echo, encode, message

FIELD1 = sys.argv[2] if len(sys.argv) > 2 else "OK"
REQUEST, RESPONSE = 1, 2  # types of frames
HEADER = struct.Struct(">IIBB")  # length, stream, type, flags
UNIMPLEMENTED = 12  # a status


METHODS = {(b"rpcbench.Bencher", b"Echo"): echo, (b"rpcbench.Bencher", b"Message"): lambda fields: message(fields, FIELD1)}


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
