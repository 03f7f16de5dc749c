import { join } from 'node:path';
import { monotonicUs, ulid } from '@piton/contracts';
import type { GitPort } from '@piton/git';
import { eventually } from '@piton/testing';
import { expect, it } from 'vitest';
import { listCheckpoints } from '../src/history/listing.ts';
import { readCalls } from '../src/images/call-log.ts';
import { createCheckpointWorker } from '../src/turns/worker.ts';
import { scratch } from './scratch.ts';

it('who wants to rewind waits for what is being saved: the checkpoint of the prompt, and the image before a call', async () => {
  const user = scratch();
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let reached: () => void = () => {};
  const atGate = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const port = user.runner();
  const git: GitPort = {
    ...port,
    within: (layout, directory) => {
      const inner = port.within(layout, directory);
      return async (args, options) => {
        if (args.includes('fast-import')) {
          reached();
          await gate;
        }
        return inner(args, options);
      };
    },
  };
  const reports: string[] = [];
  const worker = createCheckpointWorker({
    ...{ git, home: user.home, config: join(user.home, 'config') },
    redactor: { text: (text) => text, holdsToken: () => false, refresh: () => {} },
    parseSettings: (text) => ({ value: JSON.parse(text), errors: [] }),
    post: (report) => void (report.kind === 'done' && reports.push(`done ${report.id}`)),
  });
  const worktree = await user.worktree();
  const tree = { directory: user.root, session: 's1', agent: 'someone', child: false };
  const stamp = (): string => ulid(Date.now(), worktree.random(10));
  const call = { key: 'call-1', reach: 'any', files: [], patterns: [] } as const;
  user.write('mine.txt', 'mine\n');
  const NEVER = monotonicUs() * 2n;
  worker.handle({ kind: 'prompt', turn: stamp(), prompt: 'Do it', ...tree });
  worker.handle({ kind: 'await', id: 1, untilUs: NEVER, stamp: stamp(), tool: 'Bash', what: 'rm mine.txt', call, ...tree });
  worker.handle({ kind: 'settle', id: 2, directory: user.root });
  await atGate;
  expect(reports).toEqual([]);
  open();
  await eventually(() => reports.includes('done 2'));
  expect(reports).toEqual(['done 1', 'done 2']);
  expect((await listCheckpoints(worktree.git, worktree.repository)).map(({ kind }) => kind)).toEqual(['prompt']);
  expect(readCalls({ state: join(user.home, 'checkpoints', worktree.state.split('/').at(-1) ?? '') })).toMatchObject([
    { wayBack: { kind: 'image' } },
  ]);
});
