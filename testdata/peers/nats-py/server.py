"""A service of NATS by nats-py, written from frameworks/PROTOCOL.md.

    python3 server.py PORT

It starts its broker at the port, nats-server as frameworks/nats has it. It has no workloads.
It ends with its input.
"""
import asyncio
import os
import subprocess
import sys

import nats

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True  # that directory is of the source
sys.path.append(os.path.join(HERE, "../python"))
from messages import Failed, decode, echo, encode, message

PORT = sys.argv[1]


def handler(method):
    async def answer(request):
        try:
            await request.respond(encode(method(decode(request.data))))
        except Failed as failed:
            headers = {"Nats-Service-Error": failed.args[1], "Nats-Service-Error-Code": "500"}
            await request._client.publish(request.reply, headers=headers)

    return answer


def broker():
    """Returns the process of the broker, which ends with its input."""
    module = os.path.join(HERE, "../../../frameworks/nats")
    process = subprocess.Popen(
        ["go", "run", "-trimpath", os.path.join(HERE, "broker.go"), PORT],
        cwd=module, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )
    if process.stdout.readline() != b"listening\n":
        sys.exit("the broker does not listen")
    return process


async def main():
    process = broker()
    client = await nats.connect(f"nats://127.0.0.1:{PORT}", max_outstanding_pings=1000)
    for name, method in (("Echo", echo), ("Message", message)):
        await client.subscribe(f"rpcbench.Bencher.{name}", cb=handler(method), pending_msgs_limit=-1, pending_bytes_limit=-1)
    await client.flush()
    print(f"ready {PORT}", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    process.stdin.close()
    process.wait()
    os._exit(0)


asyncio.run(main())
