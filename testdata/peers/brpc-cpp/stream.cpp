#include "stream.h"

#include <cerrno>

#include <butil/crc32c.h>

namespace {

// append appends a number, little-endian.
void append(std::string* text, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) text->push_back(static_cast<char>(number >> (8 * i)));
}

// send waits while the client takes no more. It fails once the stream has ended.
bool send(brpc::StreamId id, const rpcbench::EchoMessage& message) {
    butil::IOBuf encoded;
    butil::IOBufAsZeroCopyOutputStream out(&encoded);
    if (!message.SerializeToZeroCopyStream(&out)) return false;
    int failed;
    while ((failed = brpc::StreamWrite(id, encoded)) == EAGAIN) {
        if (brpc::StreamWait(id, nullptr) != 0) return false;
    }
    return failed == 0;
}

bool send(brpc::StreamId id, const std::string& action, const std::string& msg) {
    rpcbench::EchoMessage message;
    message.set_action(action);
    message.set_msg(msg);
    return send(id, message);
}

}  // namespace

void Sum::add(const std::string& bytes) {
    messages_++;
    bytes_ += bytes.size();
    crc_ = butil::crc32c::Extend(crc_, bytes.data(), bytes.size());
}

std::string Sum::encode() const {
    std::string text;
    append(&text, messages_, 8);
    append(&text, bytes_, 8);
    append(&text, crc_, 4);
    return text;
}

int Answers::on_received_messages(brpc::StreamId id, butil::IOBuf* const messages[], size_t size) {
    for (size_t i = 0; i < size; i++) {
        rpcbench::EchoMessage message;
        butil::IOBufAsZeroCopyInputStream in(*messages[i]);
        if (!message.ParseFromZeroCopyStream(&in) || !answer(id, message)) {
            brpc::StreamClose(id);
            break;
        }
    }
    return 0;
}

// answer reports whether the stream goes on.
bool Answers::answer(brpc::StreamId id, const rpcbench::EchoMessage& message) {
    const std::string& action = message.action();
    if (action.empty() || action == "echo") return send(id, message);
    if (action == "sink") {
        sum_.add(message.msg());
        return true;
    }
    if (action == "sum") return send(id, "sum", sum_.encode());
    if (action == "fail") {
        send(id, "error", "rpcbench: the request asked for this error");
    } else if (action != "end") {
        send(id, "error", "rpcbench: not implemented: the action " + action);
    }
    return false;
}
