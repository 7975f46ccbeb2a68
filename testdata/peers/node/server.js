// A server of connect over HTTP/1.1 with JSON by Node's standard library, written from
// frameworks/PROTOCOL.md.
//
//     node server.js [PORT [FIELD1]]
//
// HTTP/1.1 has no streams of connect, and it has no workloads. FIELD1 is what it answers
// for field1, OK unless a test wants a wrong answer.
'use strict';
const http = require('node:http');

const [port = '0', field1 = 'OK'] = process.argv.slice(2);

// Failed is the error of a call: one of connect's codes, and a text.
class Failed extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

// The status of HTTP that connect has for a code.
const statuses = {unknown: 500, unimplemented: 501, invalid_argument: 400};

function echo(message) {
  switch (message.action) {
    case undefined: // the JSON of protobuf leaves out what is empty
    case '':
    case 'echo':
      return message;
    case 'fail':
      throw new Failed('unknown', 'rpcbench: the request asked for this error');
  }
  throw new Failed('unknown', `rpcbench: not implemented: the action ${message.action}`);
}

const methods = {
  '/rpcbench.Bencher/Echo': echo,
  '/rpcbench.Bencher/Message': (message) => ({...message, field1, field2: 100}),
};

function answer(path, body) {
  if (!methods[path]) throw new Failed('unimplemented', path);
  return methods[path](JSON.parse(body));
}

function reply(response, path, body) {
  let status = 200;
  let result;
  try {
    result = answer(path, body);
  } catch (e) {
    const code = e instanceof Failed ? e.code : 'invalid_argument';
    status = statuses[code];
    result = {code, message: e.message};
  }
  response.writeHead(status, {'Content-Type': 'application/json'});
  response.end(JSON.stringify(result));
}

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => reply(response, request.url, Buffer.concat(chunks).toString()));
});
server.keepAliveTimeout = 0; // Node would close connections that are idle for 5 s
server.listen({port: Number(port), host: '127.0.0.1', backlog: 4096}, () => {
  const {address, port} = server.address();
  console.log(`listening on ${address}:${port}`);
});
