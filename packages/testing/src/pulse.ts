import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const BEATS = `
  const fs = require('node:fs');
  const files = new Set();
  require('node:worker_threads').parentPort.on('message', ([on, file]) => (on ? files.add(file) : files.delete(file), beat(file)));
  const beat = (file) => { try { if (files.has(file)) fs.writeFileSync(file, '') } catch {} };
  setInterval(() => files.forEach(beat), 40);
`;

let worker: Worker | undefined;

/** Beats on a separate thread: on a loaded machine the test's own loop may block for 250 ms, which is not what is tested. */
export function startPulse(environment: string): void {
  mkdirSync(environment, { recursive: true, mode: 0o700 });
  writeFileSync(pulseOf(environment), ''); // the first beat: a worker takes its time to start
  worker ??= new Worker(BEATS, { eval: true });
  worker.unref();
  worker.postMessage([true, pulseOf(environment)]);
}

export function stopPulse(environment: string): void {
  worker?.postMessage([false, pulseOf(environment)]);
}

const pulseOf = (environment: string): string => join(environment, 'pulse');
