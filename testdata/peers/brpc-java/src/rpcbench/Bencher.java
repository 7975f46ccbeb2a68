package rpcbench;

import com.baidu.brpc.protocol.BrpcMeta;

/** The service as baidu_std names it. */
public interface Bencher {
    @BrpcMeta(serviceName = "rpcbench.Bencher", methodName = "Echo")
    Echo.EchoMessage echo(Echo.EchoMessage request);

    @BrpcMeta(serviceName = "rpcbench.Bencher", methodName = "Message")
    Bench.BenchMessage message(Bench.BenchMessage request);
}
