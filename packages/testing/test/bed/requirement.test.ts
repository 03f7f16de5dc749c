import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agentCache, agentCommand, pinnedAgent } from '../../src/bed/agents.ts';
import { requirementOf } from '../../src/bed/requirement.ts';

const can = () => null;
const cannot = () => 'no namespaces here';

function cacheWithClaude(): string {
  const cache = mkdtempSync(join(tmpdir(), 'piton-cache-'));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  const command = agentCommand(pinnedAgent('claude'), { PITON_AGENT_CACHE: cache });
  mkdirSync(dirname(command), { recursive: true });
  writeFileSync(command, '');
  return cache;
}

test('an agent that is not in the cache is left out by name, unless it was asked for', () => {
  const env = { PITON_AGENT_CACHE: '/nonexistent' };
  expect(requirementOf('claude', env, can)).toEqual({ met: false, why: 'not installed, run npm run test:agents', fatal: false });
  expect(requirementOf('claude', { ...env, PITON_REQUIRE_AGENTS: '1' }, can)).toMatchObject({ met: false, fatal: true });
});

test('on CI nothing is left out, unless the agents come later in the same job', () => {
  const env = { PITON_AGENT_CACHE: '/nonexistent', CI: 'true' };
  expect(requirementOf('claude', env, can)).toMatchObject({ met: false, fatal: true });
  expect(requirementOf('claude', { ...env, PITON_AGENTS_LATER: '1' }, can)).toMatchObject({ met: false, fatal: false });
  const here = { CI: 'true', PITON_AGENT_CACHE: cacheWithClaude() };
  expect(requirementOf('claude', { ...here, PITON_AGENTS_LATER: '1' }, can)).toMatchObject({ met: false, fatal: false });
  expect(requirementOf('claude', { ...here, PITON_AGENTS_LATER: '1', PITON_REQUIRE_AGENTS: '1' }, cannot)).toMatchObject({ fatal: true });
  expect(requirementOf('claude', here, cannot)).toMatchObject({ met: false, fatal: true });
});

test('an agent in the cache is driven where namespaces can be had', () => {
  const env = { PITON_AGENT_CACHE: cacheWithClaude() };
  expect(requirementOf('claude', env, can)).toEqual({ met: true });
  expect(requirementOf('claude', env, cannot)).toEqual({ met: false, why: 'no namespaces here', fatal: false });
});

test('the cache lies where its variable says, else where caches lie', () => {
  expect(agentCache({ PITON_AGENT_CACHE: '/a', XDG_CACHE_HOME: '/b', HOME: '/c' })).toBe('/a');
  expect(agentCache({ XDG_CACHE_HOME: '/b', HOME: '/c' })).toBe('/b/piton/agents');
  expect(agentCache({ HOME: '/c' })).toBe('/c/.cache/piton/agents');
});
