import { type AgentDriver, claudeDriver, codexDriver, DRIVERS, describeReal, geminiDriver, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { newStage, runWithPiton } from '../agent-setup.ts';
import { piton } from '../real-claude/setup.ts';

const opencodeDriver = DRIVERS.find(({ pinned }) => pinned.id === 'opencode') as AgentDriver;
const PAIRS = [codexDriver, geminiDriver, opencodeDriver].flatMap((other) => [
  [claudeDriver, other] as const,
  [other, claudeDriver] as const,
]);

interface Listed {
  readonly id: string;
  readonly agent: string;
}

for (const [from, to] of PAIRS)
  describeReal(to.pinned.id, `continues what ${from.pinned.id} began`, () => {
    test('its first request has the facts, and both sessions are one story', async () => {
      const workspace = newStage(from);
      const handed = await runWithPiton(from, workspace, {
        prompt: 'Mend the marmot.',
        script: talk(from.tools.shell('echo TOKEN_LEDGER; exit 3'), { text: 'It is not mended yet.' }),
        after: [piton('handoff', '--to', to.pinned.id, '--json')],
      });
      const { prompt, session } = JSON.parse(handed.step(`piton handoff --to ${to.pinned.id} --json`).stdout);
      to.prepare(workspace);
      const show = piton('sessions', 'show', session, '--json');
      const facts = await runWithPiton(to, workspace, {
        prompt,
        script: talk({ text: 'Finished.' }),
        after: [piton('sessions', 'list', '--json'), show],
      });
      expect(facts.tokens.TOKEN_LEDGER).toContain(facts.requests.find(({ side }) => !side)?.n);
      const other = (JSON.parse(facts.step('piton sessions list --json').stdout) as Listed[]).find(({ agent }) => agent === to.pinned.id);
      const { story } = JSON.parse(facts.step(show.name).stdout) as { story: Listed[] };
      expect(story).toEqual([
        { id: session, agent: from.pinned.id },
        { id: other?.id, agent: to.pinned.id },
      ]);
    });
  });
