package rpcbench;

import com.weibo.api.motan.common.MotanConstants;
import com.weibo.api.motan.config.ProtocolConfig;
import com.weibo.api.motan.config.RegistryConfig;
import com.weibo.api.motan.config.ServiceConfig;
import com.weibo.api.motan.util.MotanSwitcherUtil;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;

/** A server of the motan2 protocol, for as long as its standard input is open. */
public final class Peer implements Bencher {
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        PrintStream out = System.out;
        System.setOut(System.err);
        ServiceConfig<Bencher> service = new ServiceConfig<>();
        service.setInterface(Bencher.class);
        service.setRef(new Peer());
        service.setGroup("rpcbench");
        service.setVersion("");
        service.setHost("127.0.0.1");
        service.setRegistry(registry());
        service.setProtocol(protocol());
        service.setExport("motan2:" + port);
        service.export();
        MotanSwitcherUtil.setSwitcherValue(MotanConstants.REGISTRY_HEARTBEAT_SWITCHER, true);
        out.println("ready " + port);
        while (System.in.read() >= 0) {
            // what is sent does not matter
        }
        System.exit(0);
    }

    private static RegistryConfig registry() {
        RegistryConfig registry = new RegistryConfig();
        registry.setRegProtocol("local");
        return registry;
    }

    private static ProtocolConfig protocol() {
        ProtocolConfig protocol = new ProtocolConfig();
        protocol.setId("motan2");
        protocol.setName("motan2");
        protocol.setSerialization("simple");
        protocol.setMaxContentLength((64 << 20) + (64 << 10)); // largest message in bytes
        return protocol;
    }

    @Override
    public Map<String, Object> echo(Map<String, Object> request) {
        Object action = request.get("action");
        if ("fail".equals(action)) {
            throw new IllegalArgumentException("rpcbench: the request asked for this error");
        }
        if (action != null && !"".equals(action) && !"echo".equals(action)) {
            throw new IllegalArgumentException("rpcbench: not implemented: the action " + action);
        }
        Map<String, Object> reply = new HashMap<>();
        reply.put("action", action);
        reply.put("msg", request.get("msg"));
        return reply;
    }

    @Override
    public Map<String, Object> message(Map<String, Object> request) {
        request.put("Field1", "OK");
        request.put("Field2", 100);
        return request;
    }
}
