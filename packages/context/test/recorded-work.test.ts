import { findAgent } from '@piton/agents';
import { type Handoff, observedIn, overviewText, readHandoff, readOverview } from '@piton/context';
import type { Outcome } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, eventOf, openBench, recordedWork, redactor, stampOf, wallOf } from './recorded.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.end());

/** Which event of the recording is which, counted by hand. */
const CLAUDE = { todo: 4, failed: 6, edited: 10, passed: 12, wrote: 14, committed: 16, denied: 17, lint: 19, stop: 20 };
const NUMBERS = {
  claude: CLAUDE,
  gemini: CLAUDE,
  codex: { todo: 4, failed: 6, edited: 8, passed: 10, wrote: 12, committed: 14, denied: 15, lint: 17, stop: 18 },
};
type AgentId = keyof typeof NUMBERS;
const AGENTS: readonly AgentId[] = ['claude', 'codex', 'gemini'];

const REASON = 'What was built stays.';
const DENIED: Outcome = {
  decision: { decision: 'deny', verdict: 'deny', reason: REASON },
  trace: [
    {
      ...{ hook: 'guard', scope: 'user', event: 'pre_tool_use', did: 'ran', exitCode: 2, durationMs: 1, stdout: '', stderr: '' },
      said: { decision: 'deny', reason: REASON },
    },
  ],
  delivered: [{ decision: 'deny', how: 'now' }],
};

/** As it happened until the event of this number: what our hook denied is no part of what an agent sends. */
async function play(agent: AgentId, until = Number.POSITIVE_INFINITY): Promise<string> {
  const { events, transcript } = recordedWork(agent);
  for (const [at, event] of events.slice(0, until).entries())
    await bench.play([event], at + 1 === NUMBERS[agent].denied ? { given: DENIED } : {});
  const session = (await bench.store.sessions({ agent }))[0]?.id ?? '';
  const entries = findAgent(agent)?.transcript?.read(transcript).entries ?? [];
  const ends = entries.flatMap((entry) => (entry.kind === 'tool-result' ? [entry] : []));
  if (transcript !== '')
    await bench.store.addTranscript({
      ...{ session, path: redactor.text('/t.jsonl'), agentId: null, format: 'test', notes: redactor.value([]), redaction: '1' },
      mark: { file: '1:1', size: 1, modifiedMs: 1, consumed: 1, tail: '', reader: 1, memory: '' },
      entries: ends.map(({ useId, failed }, n) => ({
        key: Buffer.from(String(n).padEnd(16)),
        entry: redactor.value({
          ...{ kind: 'tool-result' as const, at: null, cut: 0, text: '', model: null, name: null, useId, failed, tokens: null },
        }),
      })),
    });
  return session;
}

/** Read from the recordings by hand. */
function handoffOf(agent: AgentId): Partial<Handoff> {
  const at = NUMBERS[agent];
  const isCodex = agent === 'codex';
  const cwd = '/proj/repo';
  const test = {
    command: 'npm test',
    cwd,
    purpose: 'test',
    ok: true,
    exitCode: 0,
    detail: '# fail 0',
    eventId: stampOf(at.passed),
  } as const;
  return {
    agent,
    projectPath: '/proj/repo',
    repo: '/proj/repo',
    branch: 'main',
    goal: { text: 'Mend the sum, and write down what changed.', eventId: stampOf(2) },
    files: [
      { path: '/proj/repo/CHANGES.md', tool: 'Write', times: 1, eventId: stampOf(at.wrote) },
      { path: '/proj/repo/sum.js', tool: 'Edit', times: 1, eventId: stampOf(at.edited) },
    ],
    commands: [
      {
        ...{ command: 'npm run lint', cwd, purpose: 'lint', ok: false, eventId: stampOf(at.lint) },
        // Codex's transcript has that it failed; what it printed is kept where the event says that it failed.
        ...(isCodex
          ? { exitCode: null, detail: null }
          : { exitCode: 1, detail: expect.stringMatching(/CHANGES\.md has no date$/) as string }),
      },
      {
        ...{ command: 'git add -A && git commit -m "Mend the sum"', cwd, purpose: null, ok: true, exitCode: 0, detail: null },
        eventId: stampOf(at.committed),
      },
      test,
    ],
    tests: [test],
    commits: [{ sha: expect.stringMatching(/^[0-9a-f]{7}$/) as string, subject: 'Mend the sum', eventId: stampOf(at.committed) }],
    denials: [{ tool: 'Bash', what: 'rm -rf build', reason: REASON, by: ['guard'], eventId: stampOf(at.denied) }],
    todos: [{ text: 'Date the changes', status: 'open', eventId: stampOf(at.todo) }],
    next: { text: 'Date the changes', from: 'todo', eventId: stampOf(at.todo) },
  };
}

const NAMES = ['session', 'ref', 'startedUs', 'lastUs'];
const FIELDS = ['agent', 'projectPath', 'repo', 'branch', 'goal', 'files', 'commands', 'tests', 'commits', 'denials', 'todos', 'next'];

describe.each(AGENTS)('the handoff of a session of %s that did all it can', (agent) => {
  it('has each field, as it was done', async () => {
    const handoff = await readHandoff(bench.store, await play(agent));
    expect(handoff).toMatchObject(handoffOf(agent));
    expect(Object.keys(handoff ?? {}).sort()).toEqual([...NAMES, ...FIELDS, 'ended'].sort());
  });

  it('has the same after the bodies have expired', async () => {
    const session = await play(agent);
    const report = await bench.store.expire({ now: Date.UTC(2027, 5, 1), days: 30, maxBytes: 2 ** 31 });
    expect(report).toMatchObject({ events: recordedWork(agent).events.length });
    expect(await readHandoff(bench.store, session)).toMatchObject(handoffOf(agent));
  });

  it('has what was done until the agent was killed, and no end', async () => {
    const at = NUMBERS[agent];
    const { commands, denials: _, ...done } = handoffOf(agent);
    const handoff = await readHandoff(bench.store, await play(agent, at.denied - 1));
    expect(handoff).toMatchObject({ ...done, commands: commands?.slice(1) });
    expect(Object.keys(handoff ?? {}).sort()).toEqual([...NAMES, ...FIELDS.filter((name) => name !== 'denials')].sort());
  });
});

describe.each(AGENTS)('the overview after that session of %s', (agent) => {
  const image = { checkpoint: '01ABC', atMs: wallOf(60) / 1000, count: 4, files: ['a.ts', 'b.ts', 'c.ts'], branch: 'main' };
  const options = { agent: 'cline', ref: 'next', branch: 'main', command: 'piton', nowUs: wallOf(240) };

  it('has its handoff, its commit, and the tree as it was seen', async () => {
    const session = await play(agent);
    const overview = await readOverview(bench.store, '/proj/repo', image, wallOf(240));
    expect(overview).toMatchObject({ place: '/proj/repo', sessions: [{ isOpen: false, handoff: handoffOf(agent) }], image, learnt: [] });
    expect(overview.commits).toEqual([
      {
        ...{ sha: expect.stringMatching(/^[0-9a-f]{7}$/), subject: 'Mend the sum', agent, session, branch: 'main' },
        wallUs: wallOf(NUMBERS[agent].committed),
      },
    ]);
  });

  it.each(['whole', 'expired', 'killed'])('tells what is open, from where, and the way back: %s', async (how) => {
    const session = await play(agent, how === 'killed' ? NUMBERS[agent].stop - 1 : undefined);
    if (how === 'expired') await bench.store.expire({ now: Date.UTC(2027, 5, 1), days: 30, maxBytes: 2 ** 31 });
    const overview = await readOverview(bench.store, '/proj/repo', image, wallOf(240));
    const text = overviewText(overview, 'short', options)?.split('\n') ?? [];
    const failed = text.find((line) => line.startsWith('- failed'));
    expect(text.slice(3, -1)).toEqual([
      'Branch: "main"',
      `Unfinished: ${agent} session ${session.slice(0, 10)}, 3 min ago${how === 'killed' ? ', which did not finish' : ''}; last prompt "Mend the sum, and write down what changed."`,
      '- open to-do "Date the changes"',
      failed,
      'Uncommitted 3 min ago: "a.ts", "b.ts", "c.ts" and 1 more',
      'To return to that state: piton rewind 01ABC',
    ]);
    expect(failed).toMatch(
      agent === 'codex' ? /^- failed: "npm run lint"$/ : /^- failed: "npm run lint" \(exit 1\) ".*CHANGES\.md has no date"$/,
    );
  });

  it('tells an agent that was here before who committed since', async () => {
    const earlier = { session_id: 'mine', cwd: '/proj/repo', transcript_path: '/t', hook_event_name: 'UserPromptSubmit', prompt: 'Look' };
    await bench.play([eventOf('qwen', 'UserPromptSubmit', { ...earlier, timestamp: '2026-11-16T09:00:00Z' })]);
    const session = await play(agent);
    const overview = await readOverview(bench.store, '/proj/repo', null, wallOf(240));
    const text = overviewText(overview, 'short', { ...options, agent: 'qwen' }) ?? '';
    expect(text).toMatch(new RegExp(`^Committed by ${agent} 3 min ago, after your last session: [0-9a-f]{7} "Mend the sum"$`, 'm'));
    // Its own commits are no news to it, nor is another branch.
    expect(overviewText(overview, 'short', { ...options, agent }) ?? '').not.toContain('Committed by');
    expect(overviewText(overview, 'short', { ...options, agent: 'qwen', branch: 'other' }) ?? '').not.toContain('Committed by');
    expect(session).not.toBe('');
  });
});

describe.each(['claude', 'gemini'] as const)('what that session of %s has shown', (agent) => {
  it('is a test that works here, and what fixed it', async () => {
    const at = NUMBERS[agent];
    const session = await play(agent);
    const rows = await bench.store.ledger({ session });
    const learnt = observedIn(rows, stampOf(at.passed), '/proj/repo').map(({ kind, holds, body }) => ({ kind, holds, body }));
    expect(learnt).toEqual([
      { kind: 'works', holds: true, body: { command: 'npm test', purpose: 'test', cwd: '', eventId: stampOf(at.passed) } },
      {
        ...{ kind: 'fix', holds: true },
        body: {
          ...{ command: 'npm test', error: '# fail 1', fixedBy: 'changes in sum.js' },
          events: [stampOf(at.failed), stampOf(at.edited), stampOf(at.passed)],
        },
      },
    ]);
    expect(observedIn(rows, stampOf(at.lint), '/proj/repo')).toMatchObject([
      { kind: 'works', holds: false, body: { command: 'npm run lint' } },
    ]);
    expect(observedIn(rows, stampOf(at.committed), '/proj/repo')).toEqual([]);
  });
});
