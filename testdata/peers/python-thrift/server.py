"""A server of Thrift by thriftpy2, written from frameworks/PROTOCOL.md.

    python3 server.py PORT

It speaks the binary protocol in frames. It has no workloads and no replies of another size.
It ends with its input.
"""
import os
import sys
import threading

import thriftpy2
from thriftpy2.protocol import TBinaryProtocolFactory
from thriftpy2.server import TThreadedServer
from thriftpy2.thrift import TApplicationException, TProcessor
from thriftpy2.transport import TFramedTransportFactory, TServerSocket

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bench.thrift")
bench = thriftpy2.load(SCHEMA, module_name="bench_thrift")


class Handler:
    def Echo(self, request):
        if request.action == "fail":
            raise Failed("rpcbench: the request asked for this error")
        if request.action not in (None, "", "echo"):
            raise Failed(f"rpcbench: not implemented: the action {request.action}")
        return request

    def Message(self, request):
        request.field1, request.field2 = "OK", 100
        return request


class Failed(Exception):
    """The error of a call. The schema declares none, so that it is one of Thrift's own."""


class Processor(TProcessor):
    def process(self, incoming, outgoing):
        name, sequence, result, call = self.process_in(incoming)
        if isinstance(result, TApplicationException):
            return self.send_exception(outgoing, name, result, sequence)
        try:
            result.success = call()
        except Failed as failed:
            error = TApplicationException(TApplicationException.INTERNAL_ERROR, str(failed))
            return self.send_exception(outgoing, name, error, sequence)
        self.send_result(outgoing, name, result, sequence)


port = int(sys.argv[1])
server = TThreadedServer(
    Processor(bench.Bencher, Handler()),
    TServerSocket("127.0.0.1", port, backlog=4096),
    iprot_factory=TBinaryProtocolFactory(),
    itrans_factory=TFramedTransportFactory(),
    daemon=True,
)
server.trans.listen()
server.trans.listen = lambda: None  # serve would listen again
threading.Thread(target=server.serve, daemon=True).start()
print(f"ready {port}", flush=True)
sys.stdin.read()
os._exit(0)
