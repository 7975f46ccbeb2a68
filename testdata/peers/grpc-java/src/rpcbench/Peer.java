package rpcbench;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import rpcbench.Bench.BenchMessage;
import rpcbench.Echo.EchoMessage;

/**
 * A server of grpc-java, written from frameworks/PROTOCOL.md. It has no workloads and no replies
 * of another size. Its argument is the port. It prints "ready PORT", and ends with its input.
 */
public final class Peer {
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
                .maxInboundMessageSize(Integer.MAX_VALUE)
                .addService(new Calls())
                .addService(new Streams())
                .build()
                .start();
        System.out.println("ready " + port);
        while (System.in.read() >= 0) {}
        System.exit(0);
    }

    /** The reply to a message of Echo. */
    static EchoMessage answered(EchoMessage message) {
        switch (message.getAction()) {
            case "":
            case "echo":
                return message;
            case "fail":
                throw Status.UNKNOWN.withDescription("rpcbench: the request asked for this error").asRuntimeException();
            default:
                throw Status.UNIMPLEMENTED.withDescription("rpcbench: not implemented: the action " + message.getAction()).asRuntimeException();
        }
    }

    static final class Calls extends BencherGrpc.BencherImplBase {
        @Override
        public void echo(EchoMessage request, StreamObserver<EchoMessage> replies) {
            EchoMessage reply;
            try {
                reply = answered(request);
            } catch (RuntimeException e) {
                replies.onError(e);
                return;
            }
            replies.onNext(reply);
            replies.onCompleted();
        }

        @Override
        public void message(BenchMessage request, StreamObserver<BenchMessage> replies) {
            replies.onNext(request.toBuilder().setField1("OK").setField2(100).build());
            replies.onCompleted();
        }
    }

    static final class Streams extends StreamerGrpc.StreamerImplBase {
        @Override
        public StreamObserver<EchoMessage> stream(StreamObserver<EchoMessage> replies) {
            return new Stream((ServerCallStreamObserver<EchoMessage>) replies);
        }
    }

    /** A stream, which takes a message when there is room for the answer to it. */
    static final class Stream implements StreamObserver<EchoMessage> {
        private final ServerCallStreamObserver<EchoMessage> replies;
        private final CRC32C crc = new CRC32C();
        private long messages, bytes;
        private boolean waits;

        Stream(ServerCallStreamObserver<EchoMessage> replies) {
            this.replies = replies;
            replies.disableAutoRequest();
            replies.setOnReadyHandler(this::next);
            replies.setOnCancelHandler(() -> {}); // or answers would throw
            waits = true;
        }

        private void next() {
            if (waits && replies.isReady()) {
                waits = false;
                replies.request(1);
            }
        }

        @Override
        public void onNext(EchoMessage message) {
            try {
                answer(message);
            } catch (RuntimeException e) {
                replies.onError(e);
                return;
            }
            waits = true;
            next();
        }

        private void answer(EchoMessage message) {
            switch (message.getAction()) {
                case "sink":
                    messages++;
                    bytes += message.getMsg().size();
                    crc.update(message.getMsg().asReadOnlyByteBuffer());
                    return;
                case "sum":
                    ByteBuffer sum = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
                    sum.putLong(messages).putLong(bytes).putInt((int) crc.getValue()).flip();
                    replies.onNext(EchoMessage.newBuilder().setAction("sum").setMsg(ByteString.copyFrom(sum)).build());
                    return;
                default:
                    replies.onNext(answered(message));
            }
        }

        @Override
        public void onError(Throwable gone) {}

        @Override
        public void onCompleted() {
            replies.onCompleted();
        }
    }
}
