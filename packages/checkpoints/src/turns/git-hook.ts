import { resolve } from 'node:path';
import { markMessage } from '../links/link.ts';
import { pushesOf } from '../links/pushes.ts';
import { relinkRewritten } from '../links/resolve.ts';
import type { CheckpointRequest } from './messages.ts';
import { linkHead, recoverHead, reportLinked } from './reports.ts';
import type { WorkerContext } from './worker-context.ts';

/** What git told its hook: links between commits and checkpoints are made of it. */
export async function handleGitHook(worker: WorkerContext, request: CheckpointRequest & { kind: 'git' }): Promise<void> {
  const { directory, hook, args, input, indexFile } = request;
  const worktree = await worker.worktreeOf(directory);
  if (worktree === null) return;
  if (hook === 'prepare-commit-msg') await recoverHead(worker, worktree);
  if (hook === 'prepare-commit-msg' || hook === 'commit-msg')
    await markMessage(worktree, {
      hook,
      file: resolve(directory, args[0] ?? ''),
      source: args[1] ?? '',
      from: args[2] ?? '',
      amends: request.amends,
      trailer: (await worker.settingsOf(worktree)).trailer,
      ...(indexFile && { indexFile: resolve(directory, indexFile) }),
    });
  else if (hook === 'post-rewrite')
    for (const { commit, ids } of await relinkRewritten(worktree, input))
      await reportLinked(worker, worktree, { commit, made: [], carried: ids }, { id: null, child: request.child });
  else if (hook === 'pre-push') for (const push of await pushesOf(worktree, request)) worker.post({ kind: 'pushed', push });
  else if (hook === 'post-commit') await linkHead(worker, worktree, request);
}
