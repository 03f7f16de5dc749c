import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Said, type Sandbox, sandbox } from './sandbox.ts';

interface Demo {
  readonly sent: readonly { readonly agent: string; readonly event: string; readonly answer: string; readonly exitCode: number }[];
  readonly events: readonly {
    readonly event: string;
    readonly agent: string;
    readonly decision: string | null;
    readonly derived: boolean;
    readonly tool: { command: string | null } | null;
    readonly outcome: { decision: { content?: string; reason?: string } } | null;
  }[];
  readonly directory: string | null;
}

interface Recorded {
  readonly agent: string;
  readonly recordedWith: string;
  readonly steps: readonly { readonly event: string }[];
}

/** The recordings, in the order in which they are played. */
const SESSIONS = fileURLToPath(new URL('../../apps/cli/src/demo/sessions/', import.meta.url));
const RECORDED = [
  'claude',
  'codex',
  'gemini',
  'qwen',
  'opencode',
  'kilo',
  'copilot',
  'droid',
  'cline',
  'pi',
  'grok',
  'kimi',
  'omp',
  'auggie',
].map((agent) => JSON.parse(readFileSync(join(SESSIONS, `${agent}.json`), 'utf8')) as Recorded);

let box: Sandbox;
let kept: string | null = null;
beforeEach(() => {
  box = sandbox();
});
afterEach(async () => {
  if (kept) rmSync(kept, { recursive: true, force: true });
  kept = null;
  await box.end();
});

/** A directory for temporary things of its own: what is left in it was left by this run. */
function own(): { readonly temporary: string; readonly env: { readonly TMPDIR: string } } {
  const temporary = join(box.home, 'tmp');
  mkdirSync(temporary);
  return { temporary, env: { TMPDIR: temporary } };
}

describe('piton demo', () => {
  // Ten agents are played each time: one run for those who read, one for programs, and every test looks at these.
  let text: Said;
  let json: Demo;
  let left: readonly string[];
  beforeAll(async () => {
    const stage = sandbox();
    const temporary = join(stage.home, 'tmp');
    mkdirSync(temporary);
    const env = { TMPDIR: temporary };
    text = await stage.piton(['demo'], { env });
    json = await stage.json<Demo>(['demo'], { env });
    left = readdirSync(stage.home, { recursive: true }).map(String);
    await stage.end();
  });

  it('shows a denied rm -rf and an injected context, and what to do next', async () => {
    const said = text;
    expect(said).toMatchObject({ code: 0, stderr: '' });
    // In the words of `piton events`: a denied call is one row, and what Piton derives from it none.
    expect(said.stdout).toMatch(/claude +Bash: rm -rf build +denied by 10-no-rm-rf/);
    expect(said.stdout.match(/^\d.*rm -rf build/gm)).toHaveLength(1);
    expect(said.stdout).toMatch(/session started \(startup\) +context added by 10-context/);
    expect(said.stdout).not.toMatch(/derived|observe|replace/);
    expect(said.stdout).toContain('rm -rf is not allowed here');
    expect(said.stdout).toContain('House rule');
    expect(said.stdout).toMatch(/Recorded with .*claude-code \d/);
    expect(said.stdout).toMatch(/Sent \d+ events from \d+ agents? and read \d+ back from the store/);
    expect(said.stdout).toMatch(/Next: \S+ ?\S+ init /);
  });

  it('shows every recorded agent, and no other', async () => {
    const { stdout } = text;
    const [, recorded = ''] = /Recorded with (.+)\. The model was scripted/.exec(stdout) ?? [];
    expect(recorded.split(', ')).toEqual(RECORDED.map(({ recordedWith }) => recordedWith));
    expect(stdout).toContain(`from ${RECORDED.length} agents and read`);
    expect(stdout).toContain(`${RECORDED.length} denied, ${RECORDED.length} added context for the model`);
    // One is told whole, the others in a line each.
    expect(
      stdout.match(
        /^.+ +\d+ +(session_start|user_prompt_submit|pre_tool_use|post_tool_use) +Bash: rm -rf build +\{.*rm -rf is not allowed here.*\}$/gm,
      ),
    ).toHaveLength(RECORDED.length - 1);
    expect(stdout).toMatch(/^Cline CLI +\d+ +pre_tool_use /m); // it can be told only then
    expect(stdout).toContain('OpenCode, Kilo, pi, oh-my-pi: a plugin sends the events.');
    expect(stdout).toContain('Agents without a recorded session: Cursor, Copilot in VS Code.');
  });

  it('stores what each agent sent, and denies it once', async () => {
    const demo = json;
    for (const { agent, steps } of RECORDED) {
      const sent = demo.sent.filter((one) => one.agent === agent);
      expect(sent.map(({ event }) => event)).toEqual(steps.map(({ event }) => event));
      const stored = demo.events.filter((one) => one.agent === agent);
      expect(stored.filter(({ derived }) => !derived)).toHaveLength(steps.length);
      expect(sent.filter(({ answer }) => answer.includes('rm -rf is not allowed here'))).toHaveLength(1);
      expect(sent.filter(({ answer }) => answer.includes('House rule'))).toHaveLength(1);
      expect(stored.filter(({ decision }) => decision === 'deny').map(({ tool }) => tool?.command)).toEqual(['rm -rf build']);
    }
  });

  it('touches nothing of the real home and leaves nothing behind', async () => {
    expect(json.directory).toBeNull();
    expect(json.events.length).toBeGreaterThan(0);
    expect(left).toEqual(['tmp']);
  });

  it('gives the agent its native answers, and records what it answered', async () => {
    const demo = json;
    expect(demo.sent.every(({ exitCode }) => exitCode === 0)).toBe(true);
    const sent = demo.sent.filter(({ agent }) => agent === 'claude');
    const events = demo.events.filter(({ agent }) => agent === 'claude');
    expect([sent.length, events.length]).toEqual([9, 11]);
    expect(JSON.parse(sent[0]?.answer ?? '')).toMatchObject({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: expect.stringContaining('House rule') },
    });
    const denied = sent.filter(({ answer }) => answer.includes('"deny"'));
    expect(denied).toHaveLength(1);
    expect(JSON.parse(denied[0]?.answer ?? '')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect(events.filter(({ decision }) => decision === 'deny').map(({ tool }) => tool?.command)).toEqual(['rm -rf build']);
    expect(
      events
        .filter(({ derived }) => derived)
        .map(({ event }) => event)
        .sort(),
    ).toEqual(['permission_denied', 'post_tool_use_failure']);
  });

  it('plays otherwise when its hook is edited', async () => {
    const { directory } = await box.json<Demo>(['demo', '--keep']);
    kept = directory;
    const hooks = join(directory as string, 'piton', 'config', 'hooks');
    box.write(
      join(hooks, 'pre-tool-use', '10-no-rm-rf'),
      '#!/bin/sh\ncase "$PITON_TOOL_COMMAND" in *mkdir*) echo "no new directories" >&2; exit 2 ;; esac\n',
      0o755,
    );
    const { events } = await box.json<Demo>(['demo', '--hooks', hooks]);
    const denied = events.filter(({ decision }) => decision === 'deny');
    expect(denied.map(({ agent, tool, outcome }) => [agent, tool?.command, outcome?.decision.reason])).toEqual(
      RECORDED.map(({ agent }) => [agent, 'mkdir -p .trash && mv build .trash/', 'no new directories']),
    );
  });

  it('says so when the hooks it should use are not there', async () => {
    const said = await box.piton(['demo', '--hooks', 'nowhere']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('nowhere');
  });
});

describe('piton demo, when it is cut short', () => {
  const processesIn = (directory: string): string[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
          return line.includes(directory) ? [line] : [];
        } catch {
          return []; // ended meanwhile
        }
      });

  it.runIf(process.platform === 'linux')('leaves nothing behind when its reader leaves', async () => {
    const { temporary, env } = own();
    const child = box.start(['demo'], { env });
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await new Promise((done) => child.on('exit', done))).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
    expect(processesIn(temporary)).toEqual([]);
  });

  const cases = [
    ['SIGINT', 130, 'piton'],
    ['SIGTERM', 143, 'piton'],
    ['SIGHUP', 129, 'piton'],
    ['SIGTERM', 143, 'repository'],
    ['SIGTERM', 143, 'piton/state/env'],
  ] as const;
  it.runIf(process.platform === 'linux').each(cases)(
    'ends on %s with %i once there is %s, and takes everything with it',
    async (signal, code, sign) => {
      const { temporary, env } = own();
      const child = box.start(['demo'], { env });
      child.stdout?.resume();
      const ended = new Promise((done) => child.on('exit', done));
      await expect.poll(() => readdirSync(temporary).some((name) => existsSync(join(temporary, name, sign))), { interval: 5 }).toBe(true);
      child.kill(signal);
      expect(await ended).toBe(code);
      expect(readdirSync(temporary)).toEqual([]);
      expect(processesIn(temporary)).toEqual([]);
    },
  );
});
