import { describe, expect, it } from 'vitest';
import { readCheckpointSettings } from '../src/index.ts';

describe('the settings of checkpoints', () => {
  it('are careful by default', () => {
    expect(readCheckpointSettings([undefined, null, 7])).toEqual({
      strategy: 'manual-commit',
      trailer: 'agent-work',
      identity: { name: 'Piton', email: 'piton@localhost' },
    });
  });

  it('let the nearer one win, key by key', () => {
    expect(readCheckpointSettings([{ strategy: 'auto-commit', trailer: 'never' }, { trailer: 'always' }])).toMatchObject({
      strategy: 'auto-commit',
      trailer: 'always',
    });
  });

  it('pass over what they do not know', () => {
    expect(readCheckpointSettings([{ strategy: 'auto-commit' }, { strategy: 'yes', trailer: 1, identity: 'nobody' }])).toMatchObject({
      strategy: 'auto-commit',
      trailer: 'agent-work',
      identity: { name: 'Piton' },
    });
  });

  it.each([
    ['The Robot <robot@example.org>', { name: 'The Robot', email: 'robot@example.org' }],
    ['Evil\n<x@y>', undefined],
    ['<x@y>', undefined],
  ])('read %j as an identity', (identity, expected) => {
    const read = readCheckpointSettings([{ identity }]).identity;
    expect(read).toEqual(expected ?? { name: 'Piton', email: 'piton@localhost' });
  });
});
