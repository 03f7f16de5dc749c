import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentDriver, bash, claudeDriver, describeReal, runAgent, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { CHROMIUM } from '../page/chromium.ts';
import { newStage, piton } from './setup.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url));
const PERSON = fileURLToPath(new URL('./person-at-terminal.mjs', import.meta.url));
const PLAYWRIGHT = createRequire(import.meta.url).resolve('playwright-core');
const COMMAND = 'echo "allowed by a person" > allowed.txt';

/** As a person runs it: on a terminal, with nothing allowed beforehand. */
const atTerminal: AgentDriver = {
  ...claudeDriver,
  command: (prompt) => {
    const [claude] = claudeDriver.command(prompt, []);
    return [process.execPath, PERSON, CLI, PLAYWRIGHT, CHROMIUM ?? '', claude, '--model', 'claude-sonnet-4-5', prompt];
  },
};

describeReal('claude', 'waiting for a permission on a terminal', () => {
  test.skipIf(CHROMIUM === undefined)('it appears in Now with its command, and leaves when the person has answered', async () => {
    const workspace = newStage();
    claudeDriver.cautious?.prepare(workspace);
    const settings = join(workspace.home, '.claude.json');
    workspace.write(settings, {
      ...JSON.parse(workspace.read(settings) ?? '{}'),
      projects: { [workspace.repo]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    });
    const facts = await runAgent(atTerminal, workspace, {
      script: talk(bash(COMMAND), { text: 'It is written.' }),
      before: [piton('init', '--agent', 'claude', '--yes')],
      limitMs: 280_000,
    });
    expect(facts.exit, facts.stderr).toBe(0);
    const { shown, after } = JSON.parse(facts.stdout) as { shown: { title: string; text: string; code: string }; after: string };
    expect(shown.code).toBe(COMMAND);
    expect(shown.text).toContain('Claude Code');
    expect(shown.text).toContain('needs a permission');
    expect(shown.text).toContain('repo');
    expect(shown.title).toMatch(/^\(1\) /);
    expect(after).not.toMatch(/^\(/);
    expect(facts.appeared).toContain('allowed.txt');
  });
});
