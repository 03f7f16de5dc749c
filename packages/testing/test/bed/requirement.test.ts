import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agentCache, agentCommand, pinnedAgent } from '../../src/bed/agents.ts';
import { whyNotDriven } from '../../src/bed/requirement.ts';

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

test('an agent that is not in the cache is skipped by name', () => {
  expect(whyNotDriven('claude', { PITON_AGENT_CACHE: '/nonexistent' }, can)).toBe('not installed, run npm run test:agents');
});

test('CI alone demands nothing: what is missing is skipped there too', () => {
  expect(whyNotDriven('claude', { PITON_AGENT_CACHE: '/nonexistent', CI: 'true' }, can)).toBe('not installed, run npm run test:agents');
});

test('an agent in the cache is run if namespaces are available', () => {
  const env = { PITON_AGENT_CACHE: cacheWithClaude() };
  expect(whyNotDriven('claude', env, can)).toBeNull();
  expect(whyNotDriven('claude', env, cannot)).toBe('no namespaces here');
});

test('the cache is where its variable says, or in the default cache directory', () => {
  expect(agentCache({ PITON_AGENT_CACHE: '/a', XDG_CACHE_HOME: '/b', HOME: '/c' })).toBe('/a');
  expect(agentCache({ XDG_CACHE_HOME: '/b', HOME: '/c' })).toBe('/b/piton/agents');
  expect(agentCache({ HOME: '/c' })).toBe('/c/.cache/piton/agents');
});
