import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Author } from '../checkpoint.ts';
import type { FileChange } from '../comparison.ts';
import type { Place } from '../place.ts';
import type { RawPath } from '../raw-path.ts';
import { type WorkingState, writeWhole } from '../working-state.ts';

/** Work of agents that no commit has yet: path → the sessions that changed it. As large as what is uncommitted, no larger. */
export interface Pending {
  readonly head: string | null;
  readonly paths: ReadonlyMap<RawPath, readonly string[]>;
}

const pendingFile = (place: Place) => join(place.state, 'pending.json');

export async function readPending(place: Place): Promise<Pending> {
  try {
    const { head, paths } = JSON.parse(await readFile(pendingFile(place), 'utf8')) as { head: string | null; paths: [RawPath, string[]][] };
    return { head, paths: new Map(paths) };
  } catch {
    return { head: null, paths: new Map() };
  }
}

async function writePending(place: Place, { head, paths }: Pending): Promise<void> {
  await writeWhole(pendingFile(place), JSON.stringify({ head, paths: [...paths] }));
}

/** After a checkpoint: what the agent changed is pending; what is as HEAD has it again no longer is. */
export async function addPending(
  place: Place,
  by: Author,
  session: string | null,
  changes: readonly FileChange[],
  state: WorkingState,
): Promise<void> {
  const before = await readPending(place);
  const paths = new Map(before.paths);
  // Shared and of no session is what a rewind brought back: that may be anybody's.
  if (by === 'agent' || (by === 'shared' && session !== null)) {
    for (const change of changes) {
      for (const path of change.change === 'renamed' ? [change.path, change.from] : [change.path]) {
        paths.set(path, [...new Set([...(paths.get(path) ?? []), session ?? ''])]);
      }
    }
  }
  // When HEAD has moved, a commit may be waiting to be linked to what it took in: that one clears the list.
  const settled = before.paths.size === 0 || before.head === state.head;
  if (settled) for (const path of paths.keys()) if (!state.files.has(path)) paths.delete(path);
  if (paths.size > 0 || before.paths.size > 0) await writePending(place, { head: settled ? state.head : before.head, paths });
}

/** After a commit was linked: what it took in whole is done, what it took in part stays. */
export async function settlePending(place: Place, head: string, stillChanged: ReadonlySet<RawPath>): Promise<void> {
  const { paths } = await readPending(place);
  await writePending(place, { head, paths: new Map([...paths].filter(([path]) => stillChanged.has(path))) });
}
