package rpcbench;

/** The service. */
public interface Bencher {
    EchoMessage echo(EchoMessage request);

    BenchMessage message(BenchMessage request);
}
