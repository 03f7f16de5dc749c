import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import { type Agent, registrationArgs } from '@piton/contracts';
import { createTestHome, eventually, removeHome, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The samples of the document that artifacts came from, with their indentation. */
const SAMPLES = join(import.meta.dirname, 'samples');
const AGENTS_DIR = join(import.meta.dirname, '..', '..', 'packages', 'agents', 'src');

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
  cpSync(SAMPLES, join(home.places.config, 'artifacts'), { recursive: true });
  mkdirSync(join(home.root, '.podium'));
});
afterEach(() => removeHome(home));

const lines = (name: string): string[] => {
  try {
    return readFileSync(join(home.root, '.podium', name), 'utf8')
      .split('\n')
      .filter(Boolean);
  } catch {
    return [];
  }
};

/** What the real agent sent when it stopped, for each agent that stops by a process. */
function recordedStop(agent: Agent): { nativeEvent: string; payload: object } | undefined {
  const native = agent.events.filter(({ event }) => event === 'stop').map(({ name }) => name);
  const root = join(AGENTS_DIR, agent.id, 'fixtures', 'recorded');
  let names: string[] = [];
  try {
    names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  } catch {
    return undefined; // nobody has recorded it
  }
  const files = native.flatMap((nativeEvent) =>
    names.filter((name) => name.endsWith(`-${nativeEvent}.json`)).map((name) => ({ nativeEvent, file: join(root, name) })),
  );
  for (const { nativeEvent, file } of files) {
    const { stdin } = JSON.parse(readFileSync(file, 'utf8')) as { stdin?: object };
    const { event, agentId, sessionId } = agent.decode(stdin, { nativeEvent, cwd: '/', variables: {} });
    if (stdin !== undefined && event === 'stop' && agentId === undefined && sessionId !== '') return { nativeEvent, payload: stdin };
  }
  return undefined;
}
const stops = AGENTS.flatMap((agent) => {
  const found = recordedStop(agent);
  return found ? [[agent.id, agent, found] as const] : [];
});

describe('the samples of the first document', () => {
  it('are received from at least six agents', () => {
    expect(stops.map(([id]) => id)).toEqual(expect.arrayContaining(['claude', 'codex', 'gemini', 'qwen', 'copilot', 'droid']));
  });

  it.each(stops)('run at the end of a turn of %s, with the session in its own words', async (_id, agent, { nativeEvent, payload }) => {
    const registration = { agent: agent.id, nativeEvent, scope: 'user', timeoutMs: 60_000, variables: [] } as const;
    const { status, stderr } = spawnSync(home.places.forwarder, registrationArgs(registration), {
      cwd: home.work,
      env: { PATH: process.env.PATH, HOME: home.root },
      input: JSON.stringify(payload).replaceAll('$REPO', home.work),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    await eventually(() => lines('session-audit.log').length >= 2 && lines('session-stats.csv').length === 1);
    const { sessionId } = agent.decode(payload, { nativeEvent, cwd: home.work, variables: {} });
    expect(sessionId).not.toBe('');
    expect(lines('session-stats.csv')[0]).toMatch(/,\d{4}-/);
    // The bundled script, a bash one: `echo` of a plain `sh` reads the backslashes in JSON, so that the two others may not.
    expect(lines('session-audit.log').join('\n')).toContain(`session end: ${sessionId}`);
  });
});
