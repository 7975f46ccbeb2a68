// A server of gRPC by grpc-js, written from frameworks/PROTOCOL.md.
//
//     node server.js PORT
//
// It has no workloads and no replies of another size. It ends with its input.
'use strict';
const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');
const {Sum, end} = require('../node/stream.js');

const {rpcbench} = grpc.loadPackageDefinition(loader.loadSync(['bencher.proto', 'streamer.proto'], {
  includeDirs: [path.join(__dirname, '../..')],
  keepCase: true,
  longs: String, // of 64 bits, which a number of JavaScript has not
}));

// answered returns the reply to a message of Echo.
function answered(message) {
  switch (message.action) {
    case undefined: // what is empty is left out
    case '':
    case 'echo':
      return message;
    case 'fail':
      throw {code: grpc.status.UNKNOWN, details: 'rpcbench: the request asked for this error'};
  }
  throw {code: grpc.status.UNIMPLEMENTED, details: `rpcbench: not implemented: the action ${message.action}`};
}

function unary(handle) {
  return (call, done) => {
    let reply;
    try {
      reply = handle(call.request);
    } catch (e) {
      return done(e);
    }
    done(null, reply);
  };
}

// stream answers messages in their order, and takes no more while the client reads nothing.
function stream(call) {
  const sum = new Sum();
  call.on('data', (message) => {
    let reply;
    try {
      reply = sum.handle(message) ?? answered(message);
    } catch (e) {
      return call.emit('error', e);
    }
    if (reply !== Sum.none && !call.write(reply)) {
      call.pause();
      call.once('drain', () => call.resume());
    }
  });
  call.on('end', () => call.end());
  call.on('error', () => {}); // the client has gone
}

const server = new grpc.Server({'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1});
server.addService(rpcbench.Bencher.service, {
  Echo: unary(answered),
  Message: unary((message) => ({...message, field1: 'OK', field2: 100})),
});
server.addService(rpcbench.Streamer.service, {Stream: stream});
server.bindAsync(`127.0.0.1:${process.argv[2]}`, grpc.ServerCredentials.createInsecure(), (err, port) => {
  if (err) throw err;
  console.log(`ready ${port}`);
  end();
});
