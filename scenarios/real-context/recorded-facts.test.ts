import { findAgent } from '@piton/agents';
import { capabilityOf } from '@piton/contracts';
import { type AgentDriver, type BedStep, DRIVERS, describeReal, MODEL_URL, type ModelRequest, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { newTestStage, piton, runWithPiton, shell, stateOf } from '../real-agents/setup.ts';

const TOKEN = 'TOKEN_LEFT_OPEN';
const PROMPT = 'Do what is scripted.';
const DONE = 'what this session has done so far';

/** A session of another agent that leaves a to-do, and starts until one is told of it: what was recorded is prepared a moment later. */
function leftOpen(workspace: Workspace): BedStep {
  const forward = `${stateOf(workspace)}/runtime/current/piton-forward`;
  const fire = (event: string, session: string, more: object): string => {
    const payload = { session_id: session, hook_event_name: event, cwd: workspace.repo, transcript_path: '/none', ...more };
    return `printf '%s' '${JSON.stringify(payload)}' | ${forward} claude ${event} user 60000 -`;
  };
  const todos = { todos: [{ content: TOKEN, status: 'pending' }] };
  return shell(
    'leave a to-do',
    `${fire('UserPromptSubmit', 'earlier', { prompt: 'Begin' })}
${fire('PostToolUse', 'earlier', { tool_name: 'TodoWrite', tool_use_id: 't', tool_input: todos, tool_response: {} })}
${fire('Stop', 'earlier', { stop_hook_active: false })}
n=0
while [ $n -lt 200 ]; do
  n=$((n + 1))
  if ${fire('SessionStart', 'probe', { source: 'startup' }).replace('"probe"', `"probe'$n'"`)} | grep -q ${TOKEN}; then exit 0; fi
  sleep 0.2
done
exit 1`,
  );
}

const mainRequests = (requests: readonly ModelRequest[]): ModelRequest[] => requests.filter(({ conversation }) => conversation === 'main');
const contains = ({ body }: ModelRequest, text: string): boolean => JSON.stringify(body).includes(text);

for (const driver of DRIVERS) {
  const agent = findAgent(driver.pinned.id);
  if (agent === undefined) continue;
  const start = capabilityOf(agent.capabilities, 'session_start', 'replace').how;
  describeReal(driver.pinned.id, 'is told what was recorded', () => {
    test('at the start: in its first model request if it takes context there', async () => {
      const workspace = newTestStage(driver);
      const sessions = piton('sessions', '--agent', driver.pinned.id, '--json');
      const facts = await runWithPiton(driver, workspace, {
        before: [leftOpen(workspace)],
        prompt: PROMPT,
        script: talk(driver.tools.shell('echo one'), driver.tools.shell('echo two'), { text: 'Finished.' }),
        after: [sessions],
      });
      const main = mainRequests(facts.requests);
      expect(main.length).toBeGreaterThan(1);
      const told = main.findIndex((request) => contains(request, TOKEN));
      // What waits for the first prompt is in the first request too; what waits for a tool is not.
      const waits = start === 'deferred' && capabilityOf(agent.capabilities, 'user_prompt_submit', 'replace').how !== 'now';
      expect([driver.pinned.id, start, told === 0]).toEqual([driver.pinned.id, start, start !== 'none' && !waits]);
      if (waits) expect(told).toBeGreaterThan(0);
      // What was given is the model's: it is no part of what the person asked. Headless, Droid and Cline report no prompt, and
      // OpenCode and Kilo put quotation marks around it.
      const recorded = JSON.parse(facts.step(sessions.name).stdout) as { providerRef: string; firstPrompt: string | null }[];
      const own = recorded.filter(({ providerRef }) => !/^(earlier|probe)/.test(providerRef));
      expect(own.map(({ firstPrompt }) => firstPrompt?.replaceAll('"', '') ?? PROMPT)).toEqual([PROMPT]);
    });

    const { compaction } = driver;
    if (compaction !== undefined && capabilityOf(agent.capabilities, 'pre_compact', 'replace').how !== 'none')
      test('after a compaction: what it had done itself', () => compacts(driver, compaction));
  });
}

async function compacts(driver: AgentDriver, compaction: NonNullable<AgentDriver['compaction']>): Promise<void> {
  const { prepare, flags, env, script, again, summary, noDoor } = compaction;
  const workspace = newTestStage(driver);
  prepare?.(workspace);
  const after: BedStep[] = again
    ? [{ name: 'again', argv: driver.command('Go on.', again), env: { ...driver.env(MODEL_URL), ...env } }]
    : [];
  const facts = await runWithPiton(driver, workspace, {
    ...{ prompt: 'Do it: TOKEN_OF_THE_PROMPT.', script, after },
    ...(flags && { flags }),
    ...(env && { env }),
  });
  const compacted = facts.requests.filter((request) => !request.side && contains(request, summary));
  expect(compacted.length).toBeGreaterThan(0);
  const told = compacted.findIndex((request) => contains(request, DONE));
  const door = noDoor === undefined ? 'the first request' : 'a later request';
  expect({ door, told }).toEqual({ door, told: noDoor === undefined ? 0 : expect.toSatisfy((at: number) => at > 0) });
  expect(JSON.stringify(compacted[told]?.body)).toMatch(/what this session has done so far[\s\S]*TOKEN_OF_THE_PROMPT/);
}
