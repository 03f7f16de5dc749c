import { join } from 'node:path';
import { findAgent } from '@piton/agents';
import { type AgentDriver, DRIVERS, describeReal, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { runAlone, runsOf, stopsLogged, writeArtifacts } from './setup.ts';

/** What the report says must be done before a hook of a project runs, where a flag does it. */
const TRUSTED: Readonly<Record<string, readonly string[]>> = { copilot: ['--trust-folder'], grok: ['--trust'] };
/** Its headless run loads no extension of a project, or it has no hooks of one. */
const isUserOnly = (id: string): boolean => id === 'pi' || findAgent(id)?.installer.userOnly !== undefined;

const session = ({ tools }: AgentDriver, workspace: Workspace) =>
  talk(
    tools.shell('echo forbidden > denied.txt'),
    tools.write(join(workspace.repo, 'policed.txt'), 'written\n'),
    tools.shell('echo fine > ran.txt'),
    { text: 'Finished.' },
  );

for (const driver of DRIVERS) {
  const { id } = driver.pinned;
  const takesContext = findAgent(id)?.capabilities.session_start?.replace?.how === 'now';
  describeReal(id, 'hooks that run without Piton', () => {
    test('deny a command with a reason, deny an edit where a policy is broken, give the model context, and log', async () => {
      const workspace = writeArtifacts(driver);
      const facts = await runAlone(driver, workspace, 'user', { script: session(driver, workspace) });
      expect(facts.appeared).toEqual(['ran.txt']);
      expect(facts.tokens).toHaveProperty('TOKEN_DENIED');
      expect('TOKEN_GREETING' in facts.tokens).toBe(takesContext);
      expect(new Set(runsOf(workspace, 'after-shell'))).toEqual(new Set([id]));
      expect(stopsLogged(workspace)[0]).toContain('session end: {');
    });

    if (isUserOnly(id)) return;
    test('are carried by a repository', async () => {
      const workspace = writeArtifacts(driver);
      const facts = await runAlone(driver, workspace, 'project', { script: session(driver, workspace), flags: TRUSTED[id] ?? [] });
      expect(facts.appeared).toContain('ran.txt');
      expect(facts.appeared).not.toContain('denied.txt');
      expect(facts.appeared).not.toContain('policed.txt');
      expect(stopsLogged(workspace)).not.toEqual([]);
    });
  });
}
