import { DRIVERS, PINNED_AGENTS } from '@piton/testing';
import { expect, test } from 'vitest';
import { agentSuite } from './suite.ts';

test('each agent is driven once, at the version that is pinned', () => {
  const ids = DRIVERS.map(({ pinned }) => pinned.id);
  expect(ids).toEqual([...new Set(ids)]);
  for (const { pinned } of DRIVERS) expect(PINNED_AGENTS).toContain(pinned);
});

// Half of the agents, so that two files run side by side.
for (const driver of DRIVERS.filter((_, i) => i % 2 === 1)) agentSuite(driver);
