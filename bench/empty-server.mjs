// A Node server that does nothing but answer: whoever asks a server written for Node cannot be faster than this.
import { createServer } from 'node:net';

const answer = Buffer.from('{}');
const body = Buffer.alloc(9 + answer.length);
body.writeUInt32LE(answer.length, 5);
answer.copy(body, 9);
const done = Buffer.alloc(5 + body.length);
done.write('D');
done.writeUInt32LE(body.length, 1);
body.copy(done, 5);

createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', () => socket.write(done));
}).listen(process.argv[2], () => process.stdout.write('ready\n'));
