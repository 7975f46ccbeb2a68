// The messages of a stream.
#pragma once

#include <string>

#include <brpc/stream.h>
#include <butil/iobuf.h>

#include "echo.pb.h"

// What a stream has received by sink.
class Sum {
public:
    void add(const std::string& bytes);
    std::string encode() const;

private:
    uint64_t messages_ = 0, bytes_ = 0;
    uint32_t crc_ = 0;
};

// Answers the messages of one stream, and deletes itself with it.
class Answers : public brpc::StreamInputHandler {
public:
    int on_received_messages(brpc::StreamId id, butil::IOBuf* const messages[], size_t size) override;
    void on_idle_timeout(brpc::StreamId) override {}
    void on_closed(brpc::StreamId) override { delete this; }

private:
    bool answer(brpc::StreamId id, const rpcbench::EchoMessage& message);

    Sum sum_;
};
