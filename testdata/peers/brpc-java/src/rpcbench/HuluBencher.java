package rpcbench;

import com.baidu.brpc.protocol.BrpcMeta;

/** The service as hulu names it: by its last name and the methods' numbers. */
public interface HuluBencher {
    @BrpcMeta(serviceName = "Bencher", methodName = "0")
    Echo.EchoMessage echo(Echo.EchoMessage request);

    @BrpcMeta(serviceName = "Bencher", methodName = "1")
    Bench.BenchMessage message(Bench.BenchMessage request);
}
