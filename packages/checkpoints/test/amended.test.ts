import { describe, expect, it } from 'vitest';
import { amendsOf, replacedCommit } from '../src/links/amended.ts';
import { scratch } from './scratch.ts';

const SEEN = 1_700_000_000;

/** HEAD is as old as `SEEN`; git is asked for its message as it was committed. */
async function replaced(variables: Record<string, string>, now: number, pack = false) {
  const user = scratch();
  user.date = `@${SEEN} +0200`;
  user.commit('Second\n\nPiton-Checkpoint: 01ARZ3NDEKTSV4RRFFQ69G5FAV');
  if (pack) user.git('gc', '--quiet');
  const { git, repository } = await user.worktree();
  const text = await replacedCommit(git, repository, amendsOf(variables, now * 1000));
  return text === null ? null : text.split('\n\n').slice(1).join('\n\n').trimEnd();
}

const MESSAGE = 'Second\n\nPiton-Checkpoint: 01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('the commit that an amend replaces', () => {
  it('is HEAD where git’s command line says so, packed or not', async () => {
    expect(await replaced({ PITON_AMEND: '1' }, SEEN)).toBe(MESSAGE);
    expect(await replaced({ PITON_AMEND: '1' }, SEEN, true)).toBe(MESSAGE);
    expect(await replaced({ PITON_AMEND: '0', GIT_AUTHOR_DATE: `@${SEEN} +0200` }, SEEN + 60)).toBe(null);
  });

  it('is known by the author’s date where nobody can read that line, unless HEAD is of this very moment', async () => {
    expect(await replaced({ GIT_AUTHOR_DATE: `@${SEEN} +0200` }, SEEN + 60)).toBe(MESSAGE);
    expect(await replaced({ GIT_AUTHOR_DATE: `@${SEEN} +0200` }, SEEN)).toBe(null);
    expect(await replaced({ GIT_AUTHOR_DATE: `@${SEEN + 60} +0200` }, SEEN + 60)).toBe(null);
    expect(await replaced({}, SEEN + 60)).toBe(null);
  });
});
