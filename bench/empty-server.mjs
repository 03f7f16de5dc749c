// A Node server that does nothing but answer: whoever asks a server written for Node cannot be faster than this.
// usage: empty-server.mjs SOCKET [FILE]      FILE holds what it says; without it, a DONE
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { doneMessage } from './done-message.mjs';

const [socketPath, file] = process.argv.slice(2);
const reply = file === undefined ? doneMessage('{}') : readFileSync(file);

createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', () => socket.write(reply));
}).listen(socketPath, () => process.stdout.write('ready\n'));
