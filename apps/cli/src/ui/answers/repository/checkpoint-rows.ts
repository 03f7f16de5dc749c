import type { Checkpoint } from '@piton/checkpoints';
import type { PageCheckpoint, PageCommand } from '@piton/contracts/page';
import type { Store } from '@piton/store';
import { commandName } from '../../../command-name.ts';
import { briefId } from '../../../ids/checkpoint.ts';
import { type PageReader, repositoryId } from '../../reader.ts';

/** The ids in the store of sessions that checkpoints name by the agents' ids. */
export type KnownSessions = (providerRef: string | null) => string | null;

export async function knownSessions(store: Store | null, checkpoints: readonly Pick<Checkpoint, 'session'>[]): Promise<KnownSessions> {
  const ids = new Map<string, string>();
  for (const ref of new Set(checkpoints.flatMap(({ session }) => session ?? []))) {
    const found = await store?.session(ref);
    if (found?.found === 'one') ids.set(ref, found.value.id);
  }
  return (ref) => (ref === null ? null : (ids.get(ref) ?? null));
}

export const checkpointRow = (root: string, one: Checkpoint, sessionOf: KnownSessions): PageCheckpoint => ({
  id: one.id,
  shortId: briefId(one),
  at: one.at.getTime(),
  kind: one.kind,
  name: one.name,
  by: one.by,
  agent: one.agent,
  providerRef: one.session,
  session: sessionOf(one.session),
  turn: one.turn,
  branch: one.branch?.replace('refs/heads/', '') ?? null,
  commit: one.linked,
  repository: repositoryId(root),
});

export function checkpointCommands({ context }: PageReader, root: string, one: Checkpoint): PageCommand[] {
  const piton = commandName(context);
  return [
    { does: 'rewind', command: `${piton} rewind ${briefId(one)}`, directory: root },
    { does: 'explain', command: `${piton} explain ${briefId(one)}`, directory: root },
  ];
}
