import { parentPort, workerData } from 'node:worker_threads';
import { runCommand } from '@piton/hooks';
import type { FromRunner, ToRunner } from './runner.ts';

const { environment } = workerData as { readonly environment: Readonly<Record<string, string>> };

parentPort?.on('message', async ({ id, stdin, ...request }: ToRunner) => {
  const { id: _, ...result } = await runCommand({ ...request, id, stdin: Buffer.from(stdin) }, { environment });
  parentPort?.postMessage({ id, result } satisfies FromRunner);
});
