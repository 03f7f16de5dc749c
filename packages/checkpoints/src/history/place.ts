import type { Checkpoint } from '../checkpoint.ts';
import type { Repository } from '../repositories/repository.ts';

/** Was it taken in this working tree? One that was made again under the name of another is another. */
export const isHere = (
  { worktree, place }: Pick<Checkpoint, 'worktree' | 'place'>,
  here: Pick<Repository, 'worktree' | 'place'>,
): boolean => worktree === here.worktree && (place === null || place === here.place);

/** The checkpoints of each working tree, in the order that they come in. */
export function byPlace<One extends Pick<Checkpoint, 'id' | 'worktree' | 'place' | 'before'>>(all: readonly One[]): Map<string, One[]> {
  const nameOf = ({ worktree, place }: Pick<Checkpoint, 'worktree' | 'place'>): string => `${worktree}\0${place ?? ''}`;
  const byId = new Map(all.map((one) => [one.id, one]));
  // Older versions did not write the place: the first that did was taken after one of theirs.
  const later = new Map<string, string>();
  for (const one of all) {
    const before = byId.get(one.before ?? '');
    if (one.place !== null && before?.place === null && !later.has(nameOf(before))) later.set(nameOf(before), nameOf(one));
  }
  const found = new Map<string, One[]>();
  for (const one of all) {
    const name = later.get(nameOf(one)) ?? nameOf(one);
    const those = found.get(name) ?? [];
    those.push(one);
    found.set(name, those);
  }
  return found;
}
