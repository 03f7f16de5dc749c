import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

// `piton status` runs registered command lines as the agent would. A clone can carry such lines, with more in them.
let box: Sandbox;
let repository: string;
beforeEach(() => {
  box = sandbox();
  repository = box.repository();
});
afterEach(() => box.end());

/** Every file below the repository, but git's. */
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? (entry.name === '.git' ? [] : filesIn(path)) : [path];
  });

const AGENTS = 'claude codex gemini qwen droid copilot cursor cline grok'.split(' ');

it.each(AGENTS)('of %s are tried only as Piton writes them', { timeout: 120_000 }, async (agent) => {
  for (const place of ['.claude', '.codex', '.gemini', '.qwen', '.factory', '.copilot', '.cursor', '.clinerules', '.grok'])
    mkdirSync(join(box.home, place));
  const { code, stderr } = await box.piton(['init', '--project', '--agent', agent, '--yes'], { cwd: repository });
  expect([code, stderr]).toEqual([0, expect.anything()]);
  const canary = join(box.home, 'canary');
  const changed = filesIn(repository).filter((file) => {
    const text = readFileSync(file, 'utf8');
    const more = text.replaceAll('set -- ', `touch ${canary}; set -- `);
    if (more !== text) writeFileSync(file, more);
    return more !== text;
  });
  expect(changed).not.toEqual([]);
  const { stdout } = await box.piton(['status', '--all'], { cwd: repository });
  expect(existsSync(canary)).toBe(false);
  expect(stdout).toContain('is not as Piton writes it');
  await box.piton(['init', '--project', '--agent', agent, '--yes'], { cwd: repository });
  expect((await box.piton(['status', '--all'], { cwd: repository })).stdout).not.toContain('is not as Piton writes it');
  expect(existsSync(canary)).toBe(false);
});
