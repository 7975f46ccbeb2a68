// A server of connect by connect-node, which also speaks gRPC, written from
// frameworks/PROTOCOL.md.
//
//     node server.js PORT
//
// It serves HTTP/2 without TLS. It has no workloads and no replies of another size. It ends
// with its input.
'use strict';
const http2 = require('node:http2');
const path = require('node:path');
const protobufjs = require('protobufjs');
require('protobufjs/ext/descriptor');
const {createFileRegistry, fromBinary} = require('@bufbuild/protobuf');
const {FileDescriptorSetSchema} = require('@bufbuild/protobuf/wkt');
const {Code, ConnectError} = require('@connectrpc/connect');
const {connectNodeAdapter} = require('@connectrpc/connect-node');
const {Sum, end} = require('../node/stream.js');

// services reads the .proto files. Both services are found in what it returns.
function services() {
  const root = new protobufjs.Root();
  root.resolvePath = (_, file) => path.join(__dirname, '../..', path.basename(file));
  root.loadSync(['bencher.proto', 'streamer.proto'], {keepCase: true}).resolveAll();
  const set = root.toDescriptor('proto3');
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, set.constructor.encode(set).finish()));
}

// answered returns the reply to a message of Echo.
function answered({action, msg}) {
  switch (action) {
    case '':
    case 'echo':
      return {action, msg};
    case 'fail':
      throw new ConnectError('rpcbench: the request asked for this error', Code.Unknown);
  }
  throw new ConnectError(`rpcbench: not implemented: the action ${action}`, Code.Unimplemented);
}

async function* stream(messages) {
  const sum = new Sum();
  for await (const message of messages) {
    const reply = sum.handle(message) ?? answered(message);
    if (reply !== Sum.none) yield reply;
  }
}

function message(request) {
  request.field1 = 'OK';
  request.field2 = 100;
  return request;
}

const registry = services();
const handler = connectNodeAdapter({
  readMaxBytes: 2 ** 30,
  writeMaxBytes: 2 ** 30,
  acceptCompression: [],
  routes(router) {
    router.service(registry.getService('rpcbench.Bencher'), {echo: answered, message});
    router.service(registry.getService('rpcbench.Streamer'), {stream});
  },
});
const server = http2.createServer({settings: {maxConcurrentStreams: 100_000}}, handler);
server.listen({port: Number(process.argv[2]), host: '127.0.0.1', backlog: 4096}, () => {
  console.log(`ready ${server.address().port}`);
  end();
});
