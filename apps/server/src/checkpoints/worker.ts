import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type CheckpointReport, type CheckpointRequest, createCheckpointWorker } from '@piton/checkpoints';
import { programFinder } from '@piton/contracts/programs';
import { createGit } from '@piton/git';
import { parseSettings } from '@piton/lifecycle/settings-text';
import { installKey } from '@piton/redact';
import { liveRedactor } from '../record/live-redactor.ts';
import { CLOSE, type Receipt, type ThreadData } from './thread-data.ts';

const LOW_PRIORITY = 5;
const { home, config } = workerData as ThreadData;
const post = (report: CheckpointReport): void => parentPort?.postMessage(report);
const redactor = liveRedactor(installKey(home), config, (what, remedy) => post({ kind: 'problem', what, remedy }));
const git = createGit({ environment: process.env, program: programFinder(home, 'git', process.env['PATH'] ?? '') });
const receipts = new Map<number, () => void>();
let lastReceipt = 0;
const allReceived = (): Promise<void> =>
  new Promise((resolve) => {
    const id = ++lastReceipt;
    receipts.set(id, resolve);
    parentPort?.postMessage({ kind: 'receipt', id } satisfies Receipt);
  });
const worker = createCheckpointWorker({ git, redactor, home, config, parseSettings, post, allReceived });

try {
  setPriority(LOW_PRIORITY); // of this thread only: answering an agent goes first
} catch {
  // not permitted here: both threads have the same priority
}

parentPort?.on('message', (message: CheckpointRequest | Receipt | typeof CLOSE) => {
  if (message === CLOSE) void worker.idle().then(() => parentPort?.close());
  else if (message.kind === 'receipt') {
    receipts.get(message.id)?.();
    receipts.delete(message.id);
  } else worker.handle(message);
});
