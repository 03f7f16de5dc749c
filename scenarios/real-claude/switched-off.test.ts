import { join } from 'node:path';
import { bash, claudeDriver, claudeSettings, describeReal, runAgent, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { addUserHook, newStage, piton, runsOf, saying } from './setup.ts';

const OFF = { disableAllHooks: true };
const ON = { disableAllHooks: false };
const PLACES = ['user', '.claude/settings.json', '.claude/settings.local.json'] as const;

const CASES: readonly (readonly [string, Partial<Record<(typeof PLACES)[number], object>>, boolean])[] = [
  ['for the user', { user: OFF }, false],
  ['in the project', { '.claude/settings.json': OFF }, false],
  ['for one person in the project', { '.claude/settings.local.json': OFF }, false],
  ['for the user, and on again in the project', { user: OFF, '.claude/settings.json': ON }, true],
];

describeReal('claude', 'all hooks switched off', () => {
  test.each(CASES)('%s: status says what the agent does', async (_name, settings, runs) => {
    const room = newStage();
    addUserHook(room, 'pre-tool-use', saying(room, 'guard', { decision: 'observe' }));
    for (const place of PLACES) {
      const path = place === 'user' ? claudeSettings(room) : join(room.repo, place);
      const there = JSON.parse(room.read(path) ?? '{}') as object;
      if (settings[place]) room.write(path, { ...there, ...settings[place] });
    }
    const facts = await runAgent(claudeDriver, room, {
      script: talk(bash('echo one > one.txt'), { text: 'Finished.' }),
      before: [piton('init', '--agent', 'claude', '--yes'), piton('status', '--json')],
    });
    const status = JSON.parse(facts.step('piton status --json').stdout) as { agents: { runs: { runs: boolean } }[] };
    expect(runsOf(room, 'guard')).toBe(runs ? 1 : 0);
    expect(status.agents.map((agent) => agent.runs.runs)).toEqual([runs]);
  });
});
