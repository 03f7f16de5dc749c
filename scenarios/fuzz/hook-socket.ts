import { connect } from 'node:net';
import { type Done, encodeFrame, MAGIC, MESSAGE, message, readDone } from '@piton/contracts';
import type { TestHome } from '@piton/testing';

const HEAD = 5;

interface About {
  readonly agent: string;
  readonly nativeEvent: string;
  readonly cwd?: string;
}

/** What a forwarder opens a connection with. */
export function opening(home: TestHome, about: About, text: string, stamp: string): Buffer {
  const payload = Buffer.from(text);
  const now = BigInt(Date.now()) * 1000n;
  const frame = encodeFrame({
    cwd: home.work,
    ...about,
    scope: 'user',
    timeoutMs: 60_000,
    args: [],
    stamp,
    bootId: 'fuzz',
    wallUs: now,
    monotonicUs: now,
    pid: process.pid,
    ppid: process.ppid,
    depth: 0,
    run: '',
    terminal: false,
    truncated: false,
    resent: false,
    variables: {},
    sender: 'fuzz',
    canary: '',
    payloadSize: payload.length,
    payload,
  });
  return Buffer.concat([MAGIC, message(MESSAGE.frame, frame)]);
}

/** One event, as a forwarder sends it, without the forwarder. It runs no hooks: those of the test are modules. */
export function sendFrame(home: TestHome, about: About, text: string, stamp: string, limitMs: number): Promise<Done> {
  return new Promise((resolve, reject) => {
    const socket = connect(home.places.hookSocket);
    let heard = Buffer.alloc(0);
    const end = (settle: () => void): void => {
      clearTimeout(limit);
      socket.destroy();
      settle();
    };
    const limit = setTimeout(() => end(() => reject(new Error(`no answer in ${limitMs} ms`))), limitMs);
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('close', () => end(() => reject(new Error('the server hung up without an answer'))));
    socket.on('data', (some) => {
      heard = Buffer.concat([heard, some]);
      while (heard.length >= HEAD) {
        const size = heard.readUInt32LE(1);
        if (heard.length < HEAD + size) return;
        const [type, body] = [heard[0], heard.subarray(HEAD, HEAD + size)];
        heard = heard.subarray(HEAD + size);
        if (type === MESSAGE.done) return end(() => resolve(readDone(body)));
        if (type !== MESSAGE.ack) return end(() => reject(new Error(`the server said ${String.fromCharCode(type ?? 0)}`)));
      }
    });
    socket.write(opening(home, about, text, stamp));
  });
}
