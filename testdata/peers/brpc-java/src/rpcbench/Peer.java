package rpcbench;

import com.baidu.brpc.RpcContext;
import com.baidu.brpc.server.RpcServer;
import com.baidu.brpc.server.RpcServerOptions;
import io.netty.buffer.ByteBuf;
import java.io.PrintStream;

/** A server of baidu_std and hulu, for as long as its standard input is open. */
public final class Peer {
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        PrintStream out = System.out;
        System.setOut(System.err);
        RpcServerOptions options = new RpcServerOptions();
        options.setKeepAliveTime(0); // connections may be idle for as long as they like
        RpcServer server = new RpcServer("127.0.0.1", port, options);
        server.registerService(new Standard());
        server.registerService(new Hulu());
        server.start();
        out.println("ready " + port);
        while (System.in.read() >= 0) {
            // what is sent does not matter
        }
        System.exit(0);
    }

    private static final class Standard implements Bencher {
        @Override
        public Echo.EchoMessage echo(Echo.EchoMessage request) {
            return Peer.echo(request);
        }

        @Override
        public Bench.BenchMessage message(Bench.BenchMessage request) {
            return Peer.message(request);
        }
    }

    private static final class Hulu implements HuluBencher {
        @Override
        public Echo.EchoMessage echo(Echo.EchoMessage request) {
            return Peer.echo(request);
        }

        @Override
        public Bench.BenchMessage message(Bench.BenchMessage request) {
            return Peer.message(request);
        }
    }

    private static Echo.EchoMessage echo(Echo.EchoMessage request) {
        String action = request.getAction();
        if ("fail".equals(action)) {
            throw new IllegalArgumentException("rpcbench: the request asked for this error");
        }
        if (!"".equals(action) && !"echo".equals(action)) {
            throw new IllegalArgumentException("rpcbench: not implemented: the action " + action);
        }
        RpcContext context = RpcContext.getContext();
        ByteBuf attachment = context.getRequestBinaryAttachment();
        if (attachment != null) { // brpc-java releases it before the reply is written
            context.setResponseBinaryAttachment(attachment.retainedSlice());
        }
        return Echo.EchoMessage.newBuilder().setAction(action).setMsg(request.getMsg()).build();
    }

    private static Bench.BenchMessage message(Bench.BenchMessage request) {
        return request.toBuilder().setField1("OK").setField2(100).build();
    }
}
