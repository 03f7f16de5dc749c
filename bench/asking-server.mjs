// A Node server that hands each event to another Node process as it came, and answers when that has said a word: no hook
// that runs in a process of its own can cost less than this does beside the empty server.
// usage: asking-server.mjs SOCKET
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { doneMessage } from './done-message.mjs';

const HOST = `const parent = new (require('node:net').Socket)({ fd: 3, readable: true, writable: true });
parent.on('data', () => parent.write('.'));
parent.on('close', () => process.exit());`;
const other = spawn(process.execPath, ['-e', HOST], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] }).stdio[3];
const reply = doneMessage('{}');
let waiting;

other.on('data', () => waiting.write(reply));
createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', (frame) => {
    waiting = socket;
    other.write(frame);
  });
}).listen(process.argv[2], () => process.stdout.write('ready\n'));
