import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { Changed } from '@piton/store';
import type { RecorderData } from '../../src/record/recorder-messages.ts';
import { type RecordSink, SINKS } from '../../src/record/sinks.ts';

/** The recorder with three sinks: one that works, one that fails at first, and one that hangs while a file exists. */
const { home } = workerData as RecorderData;
const note = (name: string, batch: readonly Changed[]): void => {
  for (const { kind, value } of batch) appendFileSync(join(home, `${name}.log`), `${JSON.stringify([kind, value])}\n`);
};
const sink = (name: string, before: () => Promise<void> | void): RecordSink => ({
  name,
  async receive(batch) {
    await before();
    note(name, batch);
  },
});
let failures = 2;
SINKS.push(
  sink('good', () => {}),
  sink('failing', () => {
    if (failures-- > 0) throw new Error('not now');
  }),
  sink('stuck', () => (existsSync(join(home, 'stuck')) ? new Promise<void>(() => {}) : undefined)),
);
void import('../../src/record/recorder-worker.ts');
