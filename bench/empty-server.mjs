// A Node server that does nothing but answer: whoever asks a server written for Node cannot be faster than this.
// usage: empty-server.mjs SOCKET [FILE]      FILE holds what it says; without it, a DONE
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const [socketPath, file] = process.argv.slice(2);
const reply = file === undefined ? done('{}') : readFileSync(file);

function done(text) {
  const answer = Buffer.from(text);
  const body = Buffer.alloc(9 + answer.length);
  body.writeUInt32LE(answer.length, 5);
  answer.copy(body, 9);
  const message = Buffer.alloc(5 + body.length);
  message.write('D');
  message.writeUInt32LE(body.length, 1);
  body.copy(message, 5);
  return message;
}

createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', () => socket.write(reply));
}).listen(socketPath, () => process.stdout.write('ready\n'));
