import { resolve } from 'node:path';
import { markMessage } from '../links/link.ts';
import { pushesOf } from '../links/pushes.ts';
import { noteQuiet, signatureOf } from '../links/quiet-note.ts';
import { relinkRewritten } from '../links/resolve.ts';
import type { Worktree } from '../worktree.ts';
import type { CheckpointRequest } from './messages.ts';
import { linkHead, recoverHead, reportLinked } from './reports.ts';
import type { WorkerContext } from './worker-context.ts';

const MARKING: ReadonlySet<string> = new Set(['prepare-commit-msg', 'commit-msg']);

/** What git told its hook: links between commits and checkpoints are made of it. */
export async function handleGitHook(worker: WorkerContext, request: CheckpointRequest & { kind: 'git' }): Promise<void> {
  const { directory, hook, args, input, indexFile } = request;
  // Git waits: what was known of the repository a while ago will do, and is looked up again afterwards.
  const worktree = await worker.worktreeOf(request, { mayBeOld: MARKING.has(hook) });
  if (worktree === null) return;
  if (hook === 'prepare-commit-msg') await recoverHead(worker, worktree);
  if (hook === 'prepare-commit-msg' || hook === 'commit-msg')
    await markMessage(worktree, {
      hook,
      file: resolve(directory, args[0] ?? ''),
      source: args[1] ?? '',
      from: args[2] ?? '',
      amends: request.amends,
      trailer: worker.settingsOf.trailerIn(worktree.repository.root),
      settled: worker.settledMessages,
      ...(indexFile && { indexFile: resolve(directory, indexFile) }),
    });
  else if (hook === 'post-rewrite')
    for (const { commit, ids } of await relinkRewritten(worktree, input))
      await reportLinked(worker, worktree, { commit, made: [], parts: [], carried: ids }, { id: null, child: request.child });
  else if (hook === 'pre-push') for (const push of await pushesOf(worktree, request)) worker.post({ kind: 'pushed', push });
  else if (hook === 'post-commit') await linkHead(worker, worktree, request);
}

/** Once git has gone on. */
export async function afterGitHook(worker: WorkerContext, request: CheckpointRequest & { kind: 'git' }): Promise<void> {
  if (!MARKING.has(request.hook) && request.hook !== 'post-commit') return;
  const worktree = await worker.worktreeOf(request);
  if (worktree !== null) await noteIfQuiet(worker, worktree);
}

/** Only a commit with an agent's work is marked, or none: then the hooks of the next one need not ask as long as there is no such work. */
export async function noteIfQuiet({ settingsOf }: Pick<WorkerContext, 'settingsOf'>, worktree: Worktree): Promise<void> {
  const { root } = worktree.repository;
  const settings = new Map(settingsOf.filesFor(root).map((file) => [file, signatureOf(file)]));
  const trailer = settingsOf.trailerIn(root);
  if (trailer === 'agent-work' || trailer === 'never') await noteQuiet(worktree, settings);
}
