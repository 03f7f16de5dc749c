import { join } from 'node:path';
import { findAgent } from '@piton/agents';
import { type Agent, contextLimitOf, type EventName } from '@piton/contracts';
import { type AgentDriver, DRIVERS, describeReal, type Facts, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { configOf, newTestStage, piton, runWithPiton } from '../real-agents/setup.ts';

const LENGTH = 300_000;
const LINE = 250;
const AT = ['session_start', 'post_tool_use'] as const satisfies readonly EventName[];

/** Numbered lines, so that what the model read shows where it was cut. */
const HOOK = `#!/usr/bin/env node
const event = process.env.PITON_EVENT;
const line = (n) => ('TOKEN_' + event + '_' + n + '_ ').padEnd(${LINE - 1}, '.') + '\\n';
const text = Array.from({ length: ${LENGTH / LINE - 1} }, (_, n) => line(n)).join('') + line('END');
process.stdout.write(JSON.stringify({ decision: 'replace', content: text }));
`;

function addHooks(workspace: Workspace): void {
  const hook = join(workspace.state, 'long.js');
  workspace.writeProgram(hook, HOOK);
  workspace.write(join(configOf(workspace), 'settings.json'), {
    hooks: AT.map((event) => ({ name: `long-${event}`, event, command: `${process.execPath} ${hook}` })),
  });
}

/** The number of lines that the model read from the first one on, and whether it read the last one. */
function readBy(facts: Facts, event: EventName): { lines: number; end: boolean } {
  const has = (n: number | 'END'): boolean => facts.tokens[`TOKEN_${event}_${n}_`] !== undefined;
  let lines = 0;
  while (has(lines)) lines += 1;
  return { lines, end: has('END') };
}

const takesAt = (agent: Agent, event: EventName): boolean => agent.capabilities[event]?.replace?.how === 'now';

/** It ends with 1 where the agent wants its hooks trusted. */
const status = piton('status', '--json');
const STATUS = { ...status, argv: ['sh', '-c', '"$0" "$@"; true', ...status.argv] as const };

for (const driver of DRIVERS) contextOf(driver);

function contextOf(driver: AgentDriver): void {
  const agent = findAgent(driver.pinned.id) as Agent;
  describeReal(driver.pinned.id, 'context that is too long', () => {
    test('the model reads as much as its table says, the agent goes on, and person and trace are told', async () => {
      const workspace = newTestStage(driver);
      addHooks(workspace);
      const facts = await runWithPiton(driver, workspace, {
        // Cline may deliver what is said after a tool with the request after the next.
        script: talk(driver.tools.shell('echo ran > ran.txt'), driver.tools.shell('sleep 1'), { text: 'Finished.' }),
        after: [STATUS],
      });
      expect(facts).toMatchObject({ timedOut: false, appeared: expect.arrayContaining(['ran.txt']) });
      const said = JSON.stringify(facts.requests.map(({ body }) => body));
      for (const event of AT) {
        if (!takesAt(agent, event)) continue;
        const limit = contextLimitOf(agent.contextLimits, event);
        const { lines, end } = readBy(facts, event);
        if (limit === undefined) {
          expect({ event, end }).toEqual({ event, end: true });
          continue;
        }
        const note = `context of ${LENGTH} characters ${limit.longer === 'cut' ? 'was cut' : 'is over'}`;
        if (limit.longer === 'cut') {
          expect({ event, lines }).toEqual({ event, lines: Math.ceil((limit.size - noteLength(agent, event)) / LINE) });
          expect(end).toBe(false);
          expect(said).toContain(`[Piton: ${note}`);
        } else expect(lines).toBeGreaterThan(0);
        expect(facts.step(STATUS.name).stdout).toContain(note);
      }
    });
  });
}

/** Of the line that says what was cut. */
const noteLength = ({ title, contextLimits }: Agent, event: EventName): number => {
  const limit = contextLimitOf(contextLimits, event);
  return `\n[Piton: context of ${LENGTH} characters was cut: ${title} takes ${limit?.size} ${limit?.unit} at ${event}]`.length;
};
