// What the servers in JavaScript have in common: the messages sink and sum of a stream, and
// an end with their input.
'use strict';

const table = new Uint32Array(256).map((_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0x82f63b78 : n >>> 1;
  return n;
});

// crc continues a CRC-32C (Castagnoli).
function crc(sum, bytes) {
  sum = ~sum;
  for (const byte of bytes) sum = table[(sum ^ byte) & 0xff] ^ (sum >>> 8);
  return ~sum >>> 0;
}

// Sum is what a stream has received by sink.
class Sum {
  static none = Symbol('no answer');
  messages = 0n;
  bytes = 0n;
  crc = 0;

  // handle returns the answer to sink and sum, and undefined to any other message.
  handle({action, msg = Buffer.alloc(0)}) {
    if (action === 'sink') {
      this.messages++;
      this.bytes += BigInt(msg.length);
      this.crc = crc(this.crc, msg);
      return Sum.none;
    }
    if (action !== 'sum') return undefined;
    const text = Buffer.alloc(20);
    text.writeBigUInt64LE(this.messages, 0);
    text.writeBigUInt64LE(this.bytes, 8);
    text.writeUInt32LE(this.crc, 16);
    return {action: 'sum', msg: text};
  }
}

// end ends the process with its input.
function end() {
  process.stdin.resume().on('end', () => process.exit());
}

module.exports = {Sum, end};
