import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fire, type Hook } from '@piton/hooks/library';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guard } from '../../src/hooks/new/guard.ts';
import { moduleText, nodeProgram, shellProgram } from '../../src/hooks/new/source.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'piton-template-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const EVENT = 'pre_shell_execution';
const written = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const FORMS: Readonly<Record<string, () => Partial<Hook>>> = {
  'a shell script': () => ({ command: `sh ${written('guard.sh', shellProgram(guard, EVENT))}` }),
  'a program for Node': () => ({ command: `node ${written('guard.mjs', nodeProgram(guard, EVENT))}` }),
  'a module': () => ({ module: written('guard.mjs', moduleText(guard, EVENT, 'js')) }),
};

describe.each(Object.entries(FORMS))('the guard of `hooks new` as %s', (_, form) => {
  it.each([
    ['a forced push', 'git push --force', 'deny'],
    ['a plain push', 'git push', 'observe'],
    // Over 4 KB a command is not in the environment: a guard must not ignore it.
    ['a long forced push', `git push ${'x'.repeat(5000)} --force`, 'deny'],
  ])('hears of %s', async (_name, command, verdict) => {
    const hook = { name: 'guard', event: EVENT, ...form() } as Hook;
    const { decision, trace } = await fire([hook], 'pre_tool_use', { toolName: 'Bash', toolInput: { command } });
    expect(decision.verdict).toBe(verdict);
    expect(trace).toMatchObject([{ did: 'ran' }]);
    expect(trace[0]).not.toHaveProperty('failed');
  });
});
