import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS, findAgent } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { type MaterializeTarget, planHook } from '../../src/materialize/plan.ts';
import { ARTIFACTS, artifactAt, newDirectory, targetIn } from './setup.ts';

/** The guard with other fields, planned for one agent. */
function planned(fields: string, more: Partial<MaterializeTarget> = {}, agent: Agent = AGENTS[0] as Agent) {
  const folder = join(newDirectory(), 'guard');
  cpSync(join(ARTIFACTS, 'guard'), folder, { recursive: true });
  chmodSync(join(folder, 'scripts', 'guard.sh'), 0o755);
  const file = join(folder, 'ARTIFACT.md');
  const names = fields.split('\n').map((line) => line.split(':')[0]);
  const kept = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('---') || !names.includes(line.split(':')[0]));
  writeFileSync(file, kept.join('\n').replace(/\n---/, `\n${fields}\n---`));
  return planHook(artifactAt(folder), agent, targetIn(newDirectory(), more), new Map());
}

describe('nothing of a hook is planned if', () => {
  it.each([
    ['it is on trial', 'mode: shadow', 'materialize.untranslatable', 'enforced'],
    ['it is switched off', 'enabled: false', 'materialize.untranslatable', 'disabled'],
    ['it wants to look at the command', 'when: { command: "rm *" }', 'materialize.untranslatable', 'when.command'],
    ['it wants to look at a file', 'when: { file: "*.env" }', 'materialize.untranslatable', 'when.file'],
    ['it wants to look at the input', 'when: { input: { path: x } }', 'materialize.untranslatable', 'when.input'],
    ['it is for other agents', 'target_harnesses: [codex, gemini]', 'materialize.not_targeted', 'codex, gemini'],
    ['its profile cannot be kept', 'sandbox_profile: strict', 'materialize.sandbox_unsupported', 'strict: there is none'],
    ['it reads the call from a variable', 'hook_action: scripts/guard.sh "$PITON_TOOL_COMMAND"', 'materialize.untranslatable', 'stdin'],
    ['it reads the tool from a variable', 'hook_action: test "$TOOL_NAME" = Bash', 'materialize.untranslatable', 'TOOL_NAME'],
    ['it is not right', 'version: one', 'materialize.lint_failed', 'version'],
  ])('%s', (_why, fields, code, word) => {
    const outcome = planned(fields);
    expect(outcome.refused?.code).toBe(code);
    expect(outcome.refused?.why).toContain(word);
    expect(outcome.files).toEqual([]);
  });

  it('a program is missing, and it is named', () => {
    const fields = 'runtime_requirements: { system_packages: [sh, no-such-program-here] }';
    const outcome = planned(fields, { allowMissing: false });
    expect(outcome.refused).toEqual({
      code: 'materialize.runtime_unavailable',
      why: 'not on PATH: no-such-program-here. To write it anyway: --allow-missing',
    });
    expect(planned(fields, { allowMissing: true }).refused).toBeUndefined();
  });

  it('a profile has to be enforced on a machine without Linux', () => {
    const sandbox = { problem: () => undefined, confine: () => ({ refused: '' }) };
    expect(planned('sandbox_profile: read-only', { sandbox, platform: 'darwin' }).refused?.code).toBe('materialize.sandbox_unsupported');
    expect(planned('sandbox_profile: read-only', { sandbox, platform: 'linux' }).refused).toBeUndefined();
  });

  it('the agent has no such event', () => {
    const outcome = planned('hook_event: permission_denied', {}, findAgent('codex') as Agent);
    expect(outcome.refused?.code).toBe('materialize.untranslatable');
    expect(outcome.files).toEqual([]);
  });
});

describe('what is lost', () => {
  it('is named: variables of Piton, groups, a policy that the agent may stop', () => {
    const { losses } = planned('hook_action: scripts/guard.sh "$PITON_BRANCH"\ngroup: fast');
    expect(losses.map(({ field }) => field)).toEqual(expect.arrayContaining(['environment', 'group', 'answer', 'fail_closed']));
    expect(losses.find(({ field }) => field === 'environment')?.what).toContain('PITON_BRANCH');
  });
  it('is nothing of the payload if the agent has the portable format', () => {
    const scopeOf = ({ installer }: Agent) => (installer.userOnly === undefined ? {} : ({ scope: 'user' } as const));
    const has = (agent: Agent) => planned('tags: [a]', scopeOf(agent), agent).losses.some(({ field }) => field === 'payload');
    expect(AGENTS.filter((agent) => !has(agent)).map(({ id }) => id)).toEqual(['claude']);
  });
});
