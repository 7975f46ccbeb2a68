package rpcbench;

import java.io.Serializable;

/** The echo message. Hessian finds its fields by their names. */
public class EchoMessage implements Serializable {
    private static final long serialVersionUID = 1;

    public String action;
    public byte[] msg;
}
