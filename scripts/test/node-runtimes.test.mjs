import { expect, it } from 'vitest';
import { takeNode } from '../node-runtimes.mjs';

it('takes --node out of the arguments, wherever it stands', () => {
  const { runtime, rest } = takeNode(['packages/hooks', '--node', '22', '--require-all']);
  expect([runtime.major, rest]).toEqual([22, ['packages/hooks', '--require-all']]);
});

it('leaves arguments without it alone', () => {
  expect(takeNode(['packages/hooks'])).toEqual({ rest: ['packages/hooks'] });
});

it.each([['--node'], ['--node', '18'], ['--node', 'packages/hooks']])('refuses %j %j', (...args) => {
  expect(takeNode(args).error).toBe('--node takes one of 20, 22, 24');
});
