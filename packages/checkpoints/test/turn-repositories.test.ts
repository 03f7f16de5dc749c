import { describe, expect, it } from 'vitest';
import { callOf, TurnRepositories } from '../src/turns/turn-repositories.ts';

const tool = (command: string, useId?: string) => ({ name: 'Bash', input: { command }, ...(useId !== undefined && { useId }) });
const begun = { turn: 't', prompt: 'go' };

function atWork(): TurnRepositories {
  const turns = new TurnRepositories(() => []);
  turns.began('s', begun, '/here');
  return turns;
}

describe('two calls at the same time in another repository', () => {
  it.each([
    ['with ids', tool('make', '1'), tool('make', '2')],
    ['without ids', tool('make'), tool('rm x')],
  ])('%s are over there with the later one', (_how, one, two) => {
    const turns = atWork();
    expect(turns.visits('s', '/other', callOf(one))).toEqual(begun);
    expect(turns.visits('s', '/other', callOf(two))).toBeNull();
    expect(turns.leaves('s', callOf(two))).toEqual([]);
    expect(turns.leaves('s', callOf(one))).toEqual(['/other']);
  });

  it('are over with the first end that does not say whose it is', () => {
    const turns = atWork();
    turns.visits('s', '/other', callOf(tool('make')));
    turns.visits('s', '/other', callOf(tool('rm x')));
    turns.visits('s', '/third', callOf(tool('rm x', '1')));
    expect(turns.leaves('s', callOf({ name: 'Bash', input: {} }))).toEqual(['/other']);
  });
});
