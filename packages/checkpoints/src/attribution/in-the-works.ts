import { type Owner, ownerOf } from '../authors/owners.ts';
import { turnsAtWork } from '../authors/turns-at-work.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { readImage } from '../images/image-state.ts';
import { onDisk, type RawPath } from '../raw-path.ts';
import { blobId, lookAt, readSmall } from '../snapshot/working-file.ts';
import { readLast } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import type { Label } from './versions.ts';

/** What is known of a file since the last checkpoint: how the last look before or after a call found it, and what has changed since. */
export interface InTheWorks {
  /** Its blob then, and whose that is. */
  readonly seen: { readonly oid: string; readonly label: Label } | null;
  readonly since: Label;
}

export async function inTheWorks(worktree: Worktree, path: RawPath): Promise<InTheWorks> {
  const [image, last] = [readImage(worktree), await readLast(worktree.state)];
  const owner = image && image.after === last?.id ? image.owners.get(path) : undefined;
  const oid = image?.files.get(path)?.entry?.oid;
  return {
    seen: owner && oid !== undefined ? { oid, label: labelOf(worktree, owner) } : null,
    since: labelOf(
      worktree,
      ownerOf(path, turnsAtWork(worktree), () => blobOnDisk(worktree, path)),
    ),
  };
}

function blobOnDisk({ repository: { root, objectFormat } }: Worktree, path: RawPath): string | null {
  try {
    return lookAt(root, path).kind === 'file' ? blobId(objectFormat, readSmall(onDisk(root, path))) : null;
  } catch {
    return null; // gone, or not to be read
  }
}

export const isInTheWorks = ({ seen, since }: InTheWorks): boolean => seen !== null || since !== null;

/** As the checkpoint will say that is yet to be taken: it has no id, and so nobody is told of it. Null for a person's. */
function labelOf({ repository, now }: Worktree, { by, session, agent, turn, name }: Owner): Label {
  if (by === 'human') return null;
  const yet: Checkpoint = {
    ...{ kind: 'part', name: name ?? '', by, session, agent, turn, workOf: session, workAgent: agent },
    ...{ id: '', ref: '', commit: '', tree: '', base: null, branch: null, worktree: repository.worktree },
    ...{ place: repository.place, before: null, linked: null },
    ...{ at: new Date(now()), skipped: [], shared: [], own: [], verbatim: false, asOnDisk: false },
  };
  return yet;
}
