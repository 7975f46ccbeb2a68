// A server of brpc, written from frameworks/PROTOCOL.md and frameworks/brpc/README.md.
//
//     peer PORT
//
// It has no workloads and no replies of another size. It ends with its input.
#include <unistd.h>

#include <cstdio>
#include <string>

#include <brpc/server.h>
#include <gflags/gflags.h>

#include "services.pb.h"
#include "stream.h"

namespace {

class Bencher : public rpcbench::Bencher {
public:
    void Echo(google::protobuf::RpcController* controller, const rpcbench::EchoMessage* request,
              rpcbench::EchoMessage* response, google::protobuf::Closure* done) override {
        brpc::ClosureGuard guard(done);
        auto* cntl = static_cast<brpc::Controller*>(controller);
        if (request->action() == "fail") {
            cntl->SetFailed("rpcbench: the request asked for this error");
        } else if (!request->action().empty() && request->action() != "echo") {
            cntl->SetFailed("rpcbench: not implemented: the action " + request->action());
        } else {
            *response = *request;
            cntl->response_attachment().append(cntl->request_attachment());
        }
    }

    void Message(google::protobuf::RpcController*, const rpcbench::BenchMessage* request,
                 rpcbench::BenchMessage* response, google::protobuf::Closure* done) override {
        brpc::ClosureGuard guard(done);
        *response = *request;
        response->set_field1("OK");
        response->set_field2(100);
    }
};

class Streamer : public rpcbench::Streamer {
public:
    void Stream(google::protobuf::RpcController* controller, const rpcbench::EchoMessage*,
                rpcbench::EchoMessage*, google::protobuf::Closure* done) override {
        brpc::ClosureGuard guard(done);
        auto* cntl = static_cast<brpc::Controller*>(controller);
        auto* answers = new Answers;
        brpc::StreamOptions options;
        options.handler = answers;
        brpc::StreamId id;
        if (brpc::StreamAccept(&id, *cntl, &options) != 0) {
            delete answers;
            cntl->SetFailed("rpcbench: the stream could not be accepted");
        }
    }
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "peer PORT: the port is missing\n");
        return 2;
    }
    logging::SetMinLogLevel(logging::BLOG_ERROR);
    gflags::SetCommandLineOption("max_body_size", "268435456");
    Bencher bencher;
    Streamer streamer;
    brpc::Server server;
    if (server.AddService(&bencher, brpc::SERVER_DOESNT_OWN_SERVICE) != 0 ||
        server.AddService(&streamer, brpc::SERVER_DOESNT_OWN_SERVICE) != 0 ||
        server.Start(("127.0.0.1:" + std::string(argv[1])).c_str(), nullptr) != 0) {
        return 1;
    }
    printf("ready %s\n", argv[1]);
    fflush(stdout);
    char input[64];
    while (read(STDIN_FILENO, input, sizeof input) > 0) {
    }
    _exit(0);
}
