import { placesOf } from '@piton/contracts/places';
import { eventually, execute, killServers } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { DONE, type Fact, GUARD, PROMPT, type RecordedWork, sendAs, wordsIn, workIn } from './work-done.ts';

// What three real agents sent, sent again, while the server is killed in between, or in the middle of which the agent was killed too.
let box: Sandbox;
let repo: string;
beforeEach(async () => {
  box = sandbox();
  repo = box.repository();
  box.write('.config/piton/hooks/pre-tool-use/10-guard', GUARD, 0o755);
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: repo });
});
afterEach(() => box.end());

/** These end a turn, by any name. */
const ENDS = /^(?:Stop|AfterAgent|SessionEnd)$/;
const kill = (): number => killServers({ places: placesOf(box.state, box.config) });

/** The transcript grows as the agent writes it: what a call came to stands there after its event. */
async function play({ agent, steps, transcript = [] }: RecordedWork, before: (n: number) => void = () => {}): Promise<void> {
  const path = String(steps.map(({ payload }) => payload.transcript_path).find((one) => typeof one === 'string'));
  let written = '';
  for (const [n, { event, payload }] of steps.entries()) {
    before(n);
    await sendAs(box, agent, event, payload, repo);
    const calls = transcript.filter((line) => event === 'PostToolUse' && line.payload.call_id === payload.tool_use_id);
    if (calls.length === 0) continue;
    written += calls.map((line) => `${JSON.stringify(line)}\n`).join('');
    box.write(path, written);
  }
}

interface Ledger {
  readonly session: { readonly id: string; readonly agent: string; readonly endReason: string | null };
  readonly ledger: Fact[];
}
const ledger = (): Promise<Ledger> => box.json<Ledger>(['sessions', 'ledger', '@'], { cwd: repo });
const cut = (work: RecordedWork): RecordedWork => ({
  ...work,
  steps: work.steps.slice(
    0,
    work.steps.findIndex(({ event }) => ENDS.test(event)),
  ),
});

describe.each(['claude', 'codex', 'gemini'])('what %s did', (agent) => {
  it('is known whole, though the server was killed twice in between', async () => {
    let killed = 0;
    await play(workIn(box, agent, repo), (n) => {
      if (n === 4 || n === 10) killed += kill();
    });
    expect(killed).toBe(2);
    await eventually(async () => (await ledger()).session.endReason !== null);
    expect(wordsIn((await ledger()).ledger, repo)).toEqual(DONE);
    const [handoff] = await box.json<{ body: Record<string, unknown> }[]>(['observations', '--kind', 'handoff'], { cwd: repo });
    expect(handoff?.body).toMatchObject({
      agent,
      goal: { text: PROMPT },
      commits: [{ subject: 'Mend the sum' }],
      next: { text: 'Date the changes' },
    });
  });

  it('is handed on by a person who comes after a power cut, though neither agent nor server runs', async () => {
    await play(cut(workIn(box, agent, repo)));
    kill();
    const { stdout } = await box.piton(['handoff', '--text'], { cwd: repo });
    expect(stdout).toContain(`Last prompt: ${JSON.stringify(PROMPT)} [`);
    expect(stdout).toMatch(/^Open to-do: "Date the changes" \[\w{26}\]$/m);
    expect(stdout).toMatch(/^Failed: "npm run lint" → (?:exit 1|failed)(?:, ".*CHANGES\.md has no date")? \[\w{26}\]$/m);
    expect(stdout).toMatch(/^Tests: "npm test" → (?:exit 0|succeeded), "# fail 0" \[\w{26}\]$/m);
    expect(stdout).toMatch(/^Committed: [0-9a-f]{7} "Mend the sum" \[\w{26}\]$/m);
    expect(stdout).toMatch(/^Denied: Bash "rm -rf build" because "What was built stays\." \[\w{26}\]$/m);
    expect(
      stdout
        .match(/^Wrote: .*$/gm)
        ?.map((line) => line.slice(0, line.indexOf(' [')))
        .sort(),
    ).toEqual(['Wrote: "CHANGES.md"', 'Wrote: "sum.js"']);
  });

  it('is told to the next session of another agent, as far as it came', async () => {
    await play(cut(workIn(box, agent, repo)));
    kill();
    let told = '';
    let n = 0;
    await eventually(async () => {
      told = await fire(box, claude.start(`next ${n++}`, repo));
      return told.includes('has no date') || (agent === 'codex' && told.includes('npm run lint'));
    }, 60_000);
    const text = (JSON.parse(told) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput.additionalContext;
    expect(text).toMatch(
      new RegExp(`^Unfinished: ${agent} session \\w{10}, \\d+ min ago, which did not finish; last prompt ${JSON.stringify(PROMPT)}$`, 'm'),
    );
    expect(text).toMatch(/^- open to-do "Date the changes"$/m);
    expect(text).toMatch(/^- failed: "npm run lint"(?: \(exit 1\))?(?: ".*CHANGES\.md has no date")?$/m);
    expect(text).not.toContain('npm test" (exit');
  });
});

it('is in the handoff of a session that crashed, though its last turn never ended', async () => {
  await play(cut(workIn(box, 'claude', repo)));
  const lint = async () => wordsIn((await ledger()).ledger, repo).at(-1) === 'lint failed';
  await eventually(lint);
  kill();
  const places = placesOf(box.state, box.config);
  // What the store has after a machine has gone down: nobody knows when that was.
  execute(places.store, `DELETE FROM observations WHERE kind = 'handoff'; UPDATE sessions SET boot_id = 'a-boot-that-is-over'`);
  const handoffs = () => box.json<{ body: Record<string, unknown> }[]>(['observations', '--kind', 'handoff'], { cwd: repo });
  expect(await handoffs()).toEqual([]);
  await fire(box, claude.start('another', repo));
  await eventually(async () => (await handoffs()).length > 0, 20_000);
  const [handoff] = await handoffs();
  expect(handoff?.body).toMatchObject({
    ended: 'crash',
    goal: { text: PROMPT },
    next: { text: 'Date the changes' },
    commits: [{ subject: 'Mend the sum' }],
    denials: [{ what: 'rm -rf build' }],
  });
});

it('is known with its ends in the middle of a turn of Codex, when that is compacted', async () => {
  const { transcript = [], ...work } = cut(workIn(box, 'codex', repo));
  await play(work);
  const { session_id, transcript_path, turn_id, model } = work.steps[1]?.payload ?? {};
  box.write(String(transcript_path), transcript.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const send = (event: string, more: object) =>
    sendAs(box, 'codex', event, { session_id, transcript_path, turn_id, model, cwd: repo, hook_event_name: event, ...more }, repo);
  await send('PreCompact', { trigger: 'auto' });
  const answer = await send('UserPromptSubmit', { prompt: 'Go on.' });
  const text = (JSON.parse(answer) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput.additionalContext;
  expect(text).toMatch(/^Failed: "npm run lint" → failed \[\w{26}\]$/m);
  expect(text).toMatch(/^Tests: "npm test" → exit 0, "# fail 0" \[\w{26}\]$/m);
});
