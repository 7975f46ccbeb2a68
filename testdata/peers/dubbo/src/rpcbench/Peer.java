package rpcbench;

import java.io.PrintStream;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;

/** A server of the Dubbo protocol, for as long as its standard input is open. */
public final class Peer implements Bencher {
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        PrintStream out = System.out;
        System.setOut(System.err);
        System.setProperty("dubbo.application.logger", "jdk");
        System.setProperty("dubbo.application.register-mode", "interface"); // else the metadata has a port of its own
        System.setProperty("dubbo.application.serialize-check-status", "DISABLE");
        ServiceConfig<Bencher> service = new ServiceConfig<>();
        service.setApplication(application());
        service.setRegistry(new RegistryConfig("N/A"));
        service.setProtocol(protocol(port));
        service.setInterface(Bencher.class);
        service.setRef(new Peer());
        service.export();
        out.println("ready " + port);
        while (System.in.read() >= 0) {
            // what is sent does not matter
        }
        System.exit(0);
    }

    private static ApplicationConfig application() {
        ApplicationConfig application = new ApplicationConfig("rpcbench-peer");
        application.setQosEnable(false);
        return application;
    }

    private static ProtocolConfig protocol(int port) {
        ProtocolConfig protocol = new ProtocolConfig("dubbo", port);
        protocol.setHost("2130706433"); // 127.0.0.1, written so that Dubbo does not listen on all addresses instead
        protocol.setPayload((64 << 20) + (64 << 10)); // largest message in bytes
        protocol.setQueues(10_000); // calls that wait for one of 200 threads, else an error
        return protocol;
    }

    @Override
    public EchoMessage echo(EchoMessage request) {
        if ("fail".equals(request.action)) {
            throw new IllegalArgumentException("rpcbench: the request asked for this error");
        }
        if (request.action != null && !request.action.isEmpty() && !"echo".equals(request.action)) {
            throw new IllegalArgumentException("rpcbench: not implemented: the action " + request.action);
        }
        EchoMessage reply = new EchoMessage();
        reply.action = request.action;
        reply.msg = request.msg;
        return reply;
    }

    @Override
    public BenchMessage message(BenchMessage request) {
        request.field1 = "OK";
        request.field2 = 100;
        return request;
    }
}
