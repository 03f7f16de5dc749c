import { describe, expect, it } from 'vitest';
import { readCheckpointSettings, type SettingsLayer } from '../src/settings.ts';

const own = (...values: unknown[]): SettingsLayer[] => values.map((value) => ({ value, ofRepository: false }));

describe('the settings of checkpoints', () => {
  it('are careful by default', () => {
    expect(readCheckpointSettings(own(undefined, null, 7))).toEqual({
      strategy: 'manual-commit',
      trailer: 'agent-work',
      identity: { name: 'Piton', email: 'piton@localhost' },
    });
  });

  it('let the nearer one win, key by key', () => {
    expect(readCheckpointSettings(own({ strategy: 'auto-commit', trailer: 'never' }, { trailer: 'always' }))).toMatchObject({
      strategy: 'auto-commit',
      trailer: 'always',
    });
  });

  it('pass over what they do not know', () => {
    expect(readCheckpointSettings(own({ strategy: 'auto-commit' }, { strategy: 'yes', trailer: 1, identity: 'nobody' }))).toMatchObject({
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
    const read = readCheckpointSettings(own({ identity })).identity;
    expect(read).toEqual(expected ?? { name: 'Piton', email: 'piton@localhost' });
  });

  it('let a repository neither switch commits on nor name who makes them, but off', () => {
    const ofRepository = { value: { strategy: 'auto-commit', identity: 'You <you@example.org>', trailer: 'always' }, ofRepository: true };
    expect(readCheckpointSettings([ofRepository])).toEqual({
      strategy: 'manual-commit',
      trailer: 'always',
      identity: { name: 'Piton', email: 'piton@localhost' },
    });
    const off = { value: { strategy: 'manual-commit' }, ofRepository: true };
    expect(readCheckpointSettings([...own({ strategy: 'auto-commit' }), off]).strategy).toBe('manual-commit');
    expect(readCheckpointSettings([...own({ strategy: 'auto-commit' }), ofRepository]).strategy).toBe('auto-commit');
  });
});
