package rpcbench;

import java.util.Map;

/** The service. Messages are maps of names and values. */
public interface Bencher {
    Map<String, Object> echo(Map<String, Object> request);

    Map<String, Object> message(Map<String, Object> request);
}
