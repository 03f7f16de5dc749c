import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AgentDriver } from '../../src/bed/driver.ts';
import { claudeDriver } from '../../src/bed/drivers/claude.ts';
import { describeIsolated } from '../../src/bed/requirement.ts';
import { runAgent } from '../../src/bed/run-agent.ts';
import { createWorkspace, git, type Workspace } from '../../src/bed/workspace.ts';
import { talk } from '../../src/model/script.ts';

const pinned = { id: 'stand-in', package: 'none', version: '0', command: 'none', megabytes: 0 };
/** A stand-in for an agent: a shell line that gets the model's address. */
const driverOf = (line: string): AgentDriver => ({
  pinned,
  prepare: () => {},
  tools: claudeDriver.tools,
  command: (prompt) => ['sh', '-c', line, 'agent', prompt],
  env: (url) => ({ MODEL: url }),
});
const ASK = `node -e 'const [text] = process.argv.slice(1);
fetch(process.env.MODEL + "/v1/messages", { method: "POST", body: JSON.stringify({ tools: [{ name: "x" }], messages: [{ role: "user", content: text }] }) })
  .then((r) => r.json()).then((m) => console.log(m.content[0].text))'`;

function newRoom(): Workspace {
  const workspace = createWorkspace();
  onTestFinished(() => workspace.remove());
  return workspace;
}

/** Of every process on the machine. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return ''; // ended since it was listed
      }
    });
}
const print = (name: string, line: string) => ({ name, argv: ['sh', '-c', line] as const });

describeIsolated('a run in its own namespaces', () => {
  test('reaches the model, and what it said and saw is among the facts', async () => {
    const facts = await runAgent(driverOf(`${ASK} "$1 TOKEN_SENT"`), newRoom(), { script: talk({ text: 'one' }), prompt: 'hello' });
    expect(facts).toMatchObject({ exit: 0, timedOut: false, stdout: 'one\n', stderr: '' });
    expect(facts.requests).toHaveLength(1);
    expect(facts.requests[0]?.ask?.userTexts).toEqual(['hello TOKEN_SENT']);
    expect(facts.tokens).toEqual({ TOKEN_SENT: [0] });
  });

  test('has a network with only loopback', async () => {
    const facts = await runAgent(driverOf('cat /proc/net/dev; cat /proc/net/route | wc -l'), newRoom(), { script: talk() });
    const devices = facts.stdout.match(/^ *\w+(?=:)/gm)?.map((name) => name.trim());
    expect(devices).toEqual(['lo']);
    expect(facts.stdout.trim().split('\n').at(-1)).toBe('1'); // the heading of an empty table
  });

  test('sees no process of the machine, and none of its own outlives it', async () => {
    const seconds = `300.${process.pid}`;
    const line = `setsid sleep ${seconds} >/dev/null 2>&1 & sleep 0.2; cat /proc/[0-9]*/cmdline | tr '\\0' ' '`;
    const facts = await runAgent(driverOf(line), newRoom(), { script: talk() });
    expect(facts.stdout).toContain(`sleep ${seconds}`);
    expect(facts.stdout).not.toContain('vitest');
    expect(commandLines().join('\n')).not.toContain(`sleep ${seconds}`);
  });

  test('has a home, a repository and an environment of its own', async () => {
    const workspace = newRoom();
    process.env.BED_SECRET = 'leaked';
    onTestFinished(() => void delete process.env.BED_SECRET);
    const facts = await runAgent(driverOf('env; pwd; git log --format=%s'), workspace, { script: talk(), env: { EXTRA: '1' } });
    expect(facts.stdout).not.toContain('leaked');
    expect(facts.stdout).not.toMatch(/^(VITEST|npm_|NODE_)/m);
    expect(facts.stdout).toContain(`HOME=${workspace.home}\n`);
    expect(facts.stdout).toContain('EXTRA=1\n');
    expect(facts.stdout).toContain(`\n${workspace.repo}\n`);
    expect(git(workspace, 'status', '--porcelain')).toBe('');
  });

  test('lists what appeared and what changed since the agent began', async () => {
    const workspace = newRoom();
    const facts = await runAgent(driverOf('mkdir -p a/b; echo 1 > a/b/new; echo 2 > README.md'), workspace, {
      script: talk(),
      before: [print('setup', 'echo early > early')],
    });
    expect(facts.appeared).toEqual(['a/b/new']);
    expect(facts.changed).toEqual(['README.md']);
  });

  test('steps run inside: before, between a request and its answer, and after', async () => {
    const workspace = newRoom();
    const log = join(workspace.state, 'log');
    const facts = await runAgent(driverOf(`echo agent >> ${log}; ${ASK} one; ${ASK} two; echo answered >> ${log}`), workspace, {
      script: talk(),
      before: [print('before', `echo before >> ${log}; readlink /proc/self/ns/net`)],
      during: [{ request: 1, steps: [print('during', `echo during >> ${log}; readlink /proc/self/ns/net; exit 3`)] }],
      after: [print('after', `echo after >> ${log}; readlink /proc/self/ns/net`)],
    });
    expect(workspace.read(log)).toBe('before\nagent\nduring\nanswered\nafter\n');
    expect(facts.step('during').exit).toBe(3);
    const networks = ['before', 'during', 'after'].map((name) => facts.step(name).stdout);
    expect(new Set(networks).size).toBe(1);
    expect(() => facts.step('never')).toThrow(/no step never/);
  });

  test('is ended at its time limit', async () => {
    const facts = await runAgent(driverOf('echo begun; sleep 60'), newRoom(), { script: talk(), limitMs: 5000 });
    expect(facts).toMatchObject({ timedOut: true, exit: 'SIGKILL', stdout: 'begun\n' });
  });

  test('reports when something kept the output open', async () => {
    const facts = await runAgent(driverOf('sleep 30 & echo bye'), newRoom(), { script: talk() });
    expect(facts.agent).toMatchObject({ exit: 0, outputHeld: true, stdout: 'bye\n' });
  });

  test('has a terminal only if a scenario wants one', async () => {
    const line = 'tty -s && echo terminal || echo none; (: < /dev/tty) 2>/dev/null && echo controlled || echo free';
    const without = await runAgent(driverOf(line), newRoom(), { script: talk() });
    expect(without.stdout.split(/\s+/)).toEqual(['none', 'free', '']);
    const withOne = await runAgent(driverOf(line), newRoom(), { script: talk(), terminal: true });
    expect(withOne.stdout.trim().split(/\s+/)).toEqual(['terminal', 'controlled']);
  });

  test('leaves nothing of its sockets on the machine', async () => {
    const workspace = newRoom();
    // Where the frame protocol puts them.
    const line = `d=/run/user/$(id -u); [ -d $d ] || d=/tmp/piton-$(id -u); touch $d/left-${process.pid} && echo made`;
    const facts = await runAgent(driverOf(line), workspace, { script: talk() });
    expect(facts.stdout).toContain('made');
    const uid = process.getuid?.();
    for (const place of [`/run/user/${uid}`, `/tmp/piton-${uid}`]) expect(existsSync(`${place}/left-${process.pid}`)).toBe(false);
  });
});
