import { Worker } from 'node:worker_threads';
import type { TranscriptRequest } from '../transcripts/portable-files.ts';
import type { FromRecorder, RecorderData, ToRecorder } from './recorder-messages.ts';

export interface RecorderPorts {
  readonly script: string;
  readonly data: RecorderData;
  readonly onMessage: (message: FromRecorder) => void;
  readonly reportProblem: (what: string, remedy: string) => void;
}

export interface Recorder {
  send(message: ToRecorder): void;
  /** Resolves when all that was announced before is stored and searchable. */
  flush(): Promise<number>;
  /** Where the transcript lies that a hook may read; null if there is none. */
  transcript(request: TranscriptRequest): Promise<string | null>;
  /** True when everything is in the store. */
  close(): Promise<boolean>;
}

/**
 * Redacting and inserting take longer than deciding, so they run on a separate thread. If it dies it is restarted
 * and reads the journal from the beginning: the store ignores what it already has.
 */
export function startRecorder(ports: RecorderPorts): Recorder {
  const segments = new Map<string, ToRecorder>();
  const replays = new Map<string, ToRecorder>();
  const flushes = new Map<number, (stored: number) => void>();
  const transcripts = new Map<number, (path: string | null) => void>();
  let next = 0;
  let closing: ((drained: boolean) => void) | undefined;
  let deaths = 0;
  let worker = start();

  function start(): Worker {
    const thread = new Worker(ports.script, {
      workerData: ports.data,
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 512 },
    });
    thread.on('message', receive);
    thread.on('error', (error) =>
      ports.reportProblem(`the recorder failed: ${error.message}`, 'run piton doctor. Events stay in the journal'),
    );
    thread.on('exit', (code) => {
      if (closing) return closing(false);
      ports.reportProblem(`the recorder exited with ${code}`, 'it is restarted. Events stay in the journal');
      deaths += 1;
      setTimeout(restart, Math.min(100 * 2 ** deaths, 30_000)).unref();
    });
    return thread;
  }

  function restart(): void {
    worker = start();
    for (const message of [...segments.values(), ...replays.values()]) worker.postMessage(message);
    for (const id of flushes.keys()) worker.postMessage({ kind: 'flush', id });
    // Hooks wait for these, and the thread that knew what they are about is gone.
    for (const settle of transcripts.values()) settle(null);
    transcripts.clear();
  }

  function receive(message: FromRecorder): void {
    if (message.kind === 'segment-done') segments.delete(message.segment);
    if (message.kind === 'replayed') replays.delete(message.directory);
    if (message.kind === 'flushed') {
      flushes.get(message.id)?.(message.stored);
      flushes.delete(message.id);
    }
    if (message.kind === 'transcript') {
      transcripts.get(message.id)?.(message.path);
      transcripts.delete(message.id);
    }
    if (message.kind === 'closed') closing?.(message.drained);
    ports.onMessage(message);
  }

  function send(message: ToRecorder): void {
    if (message.kind === 'grown') segments.set(message.segment, message);
    if (message.kind === 'replay') replays.set(message.directory, message);
    worker.postMessage(message);
  }

  return {
    send,
    flush() {
      const id = ++next;
      return new Promise((resolve) => {
        flushes.set(id, resolve);
        send({ kind: 'flush', id });
      });
    },
    transcript(request) {
      const id = ++next;
      return new Promise((resolve) => {
        transcripts.set(id, resolve);
        send({ kind: 'transcript', id, request });
      });
    },
    close() {
      return new Promise((resolve) => {
        closing = resolve;
        send({ kind: 'close' });
      });
    },
  };
}
