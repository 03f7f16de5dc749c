import { join } from 'node:path';
import { findAgent } from '@piton/agents';
import { type AgentDriver, DRIVERS, describeReal, type Room, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { layArtifacts, runAlone, runsOf, stopsLogged } from './setup.ts';

/** What the report says must be done before a hook of a project runs, where a flag does it. */
const TRUSTED: Readonly<Record<string, readonly string[]>> = { copilot: ['--trust-folder'] };
/** Its headless run loads no extension of a project. */
const USER_ONLY: readonly string[] = ['pi'];

const session = ({ tools }: AgentDriver, room: Room) =>
  talk(
    tools.shell('echo forbidden > denied.txt'),
    tools.write(join(room.repo, 'policed.txt'), 'written\n'),
    tools.shell('echo fine > ran.txt'),
    { text: 'Finished.' },
  );

for (const driver of DRIVERS) {
  const { id } = driver.pinned;
  const takesContext = findAgent(id)?.capabilities.session_start?.replace?.how === 'now';
  describeReal(id, 'hooks that run without Piton', () => {
    test('deny a command with a reason, deny an edit where a policy is broken, greet the model and log', async () => {
      const room = layArtifacts(driver);
      const facts = await runAlone(driver, room, 'user', { script: session(driver, room) });
      expect(facts.appeared).toEqual(['ran.txt']);
      expect(facts.tokens).toHaveProperty('TOKEN_DENIED');
      expect('TOKEN_GREETING' in facts.tokens).toBe(takesContext);
      expect(new Set(runsOf(room, 'after-shell'))).toEqual(new Set([id]));
      expect(stopsLogged(room)[0]).toContain('session end: {');
    });

    if (USER_ONLY.includes(id)) return;
    test('are carried by a repository', async () => {
      const room = layArtifacts(driver);
      const facts = await runAlone(driver, room, 'project', { script: session(driver, room), flags: TRUSTED[id] ?? [] });
      expect(facts.appeared).toContain('ran.txt');
      expect(facts.appeared).not.toContain('denied.txt');
      expect(facts.appeared).not.toContain('policed.txt');
      expect(stopsLogged(room)).not.toEqual([]);
    });
  });
}
