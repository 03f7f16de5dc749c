import { join } from 'node:path';
import { bash, claudeDriver, claudeSettings, describeReal, runAgent, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { addUserHook, newStage, piton, runsOf, runWithPiton, saying, shell, stateOf } from './setup.ts';

const SESSION = talk(bash('echo one > one.txt'), { text: 'Finished.' });
const DENY = { decision: 'deny', reason: 'TOKEN_DENY not now' };

describeReal('claude', 'installed and taken out again', () => {
  test("the project's own registration works like the user's", async () => {
    const room = newStage();
    addUserHook(room, 'pre-tool-use', saying(room, 'guard', DENY));
    const facts = await runAgent(claudeDriver, room, {
      script: SESSION,
      before: [piton('init', '--project', '--agent', 'claude', '--yes')],
    });
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('TOKEN_DENY') });
    expect(runsOf(room, 'guard')).toBe(1);
  });

  test('a teammate without Piton sees no error', async () => {
    const room = newStage();
    addUserHook(room, 'pre-tool-use', saying(room, 'guard', DENY));
    const gone = shell('Piton is not here', `rm -rf '${stateOf(room)}'`);
    const facts = await runAgent(claudeDriver, room, {
      script: SESSION,
      before: [piton('init', '--project', '--agent', 'claude', '--yes'), gone],
    });
    expect(room.read(join(room.repo, '.claude', 'settings.json'))).toContain('piton-forward');
    expect(facts).toMatchObject({ exit: 0, stderr: '', appeared: ['one.txt'] });
    expect(facts.toolResults[0]?.failed).toBe(false);
    expect(JSON.stringify(facts.requests)).not.toContain('piton-forward');
  });

  test('uninstall restores the settings byte for byte, and nothing is denied any more', async () => {
    const room = newStage();
    const settings = '{\n\t"permissions": { "allow": ["Bash"] },\n\t"hooks": {}\n}'; // tabs, and no newline at the end
    room.write(claudeSettings(room), settings);
    addUserHook(room, 'pre-tool-use', saying(room, 'guard', DENY));
    const copy = join(room.state, 'while-installed.json');
    const facts = await runWithPiton(room, {
      script: SESSION,
      before: [shell('keep a copy', `cp '${claudeSettings(room)}' '${copy}'`), piton('uninstall', '--yes')],
    });
    expect(room.read(copy)).toContain('piton-forward');
    expect(room.read(claudeSettings(room))).toBe(settings);
    expect(facts).toMatchObject({ exit: 0, appeared: ['one.txt'] });
    expect(runsOf(room, 'guard')).toBe(0);
  });
});
