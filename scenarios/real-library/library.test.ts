import { join } from 'node:path';
import { DRIVERS, describeReal, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { newTestStage, piton, runWithPiton } from '../real-agents/setup.ts';

const RULES = 'The token of this project is CONTEXT_TOKEN.';

for (const driver of DRIVERS) {
  describeReal(driver.pinned.id, 'hooks of the library', () => {
    test('the guard stops the destructive command, others run, and the context reaches the model', async () => {
      const room = newTestStage(driver);
      room.write(join(room.repo, 'kept', 'work.txt'), 'not committed\n');
      room.write(join(room.repo, '.piton', 'context.md'), `${RULES}\n`);
      const { shell } = driver.tools;
      const facts = await runWithPiton(driver, room, {
        before: [piton('hooks', 'add', 'block-destructive-commands', 'project-context')],
        script: talk(shell(`bash -c 'rm -rf "$PWD"/*'`), shell('echo "no rm -rf / here" > fine.txt'), { text: 'Finished.' }),
      });
      expect(facts.timedOut).toBe(false);
      expect(room.read(join(room.repo, 'kept', 'work.txt'))).toBe('not committed\n');
      expect(room.read(join(room.repo, 'fine.txt'))).toBe('no rm -rf / here\n');
      const asked = facts.requests.filter(({ conversation }) => conversation === 'main').map(({ body }) => JSON.stringify(body));
      expect(asked.at(-1)).toContain('Remove only the files that you made');
      expect(asked.at(-1)).toContain(RULES);
    });
  });
}
