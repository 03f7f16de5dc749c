import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { hostileNames } from '@piton/testing/hostile-names';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

// One grammar of ids: every command that takes one takes all its forms, and says the same of those that name nothing.
type Kind = 'event' | 'session' | 'checkpoint' | 'observation';

/** By the command and the name of its argument or option in docs/cli.md; `{id}` is what is named. */
const TAKES: Readonly<Record<string, { readonly kind: Kind; readonly words: string; readonly git?: true }>> = {
  'events list --session': { kind: 'session', words: 'events list --session {id}' },
  'events show id': { kind: 'event', words: 'events show {id}' },
  'events tail --session': { kind: 'session', words: '' },
  'sessions show id': { kind: 'session', words: 'sessions show {id}' },
  'sessions ledger id': { kind: 'session', words: 'sessions ledger {id}' },
  'search --session': { kind: 'session', words: 'search cache --session {id}' },
  'observations list --session': { kind: 'session', words: 'observations list --session {id}' },
  'observations show id': { kind: 'observation', words: 'observations show {id}' },
  'observations delete id': { kind: 'observation', words: 'observations delete {id} --dry-run' },
  'checkpoints list --session': { kind: 'session', words: 'checkpoints list --session {id}' },
  'checkpoints show id': { kind: 'checkpoint', words: 'checkpoints show {id}' },
  'checkpoints diff id': { kind: 'checkpoint', words: 'checkpoints diff {id}' },
  'rewind checkpoint': { kind: 'checkpoint', words: 'rewind {id} --dry-run' },
  // A commit comes first here, and git reads @ and @~2 as HEAD and two before it.
  'explain what': { kind: 'checkpoint', words: 'explain {id}', git: true },
  'handoff session': { kind: 'session', words: 'handoff {id} --text' },
  'hooks explain event': { kind: 'event', words: 'hooks explain {id}' },
  'hooks record session': { kind: 'session', words: '' },
  'hooks replay session': { kind: 'session', words: '' },
  'clean --sessions': { kind: 'session', words: 'clean --dry-run --sessions {id}' },
};
const RUN = Object.entries(TAKES).filter(([, { words }]) => words !== '');

let box: Sandbox;
let work: string;
const ids: Record<Kind, string[]> = { event: [], session: [], checkpoint: [], observation: [] };

beforeAll(async () => {
  box = sandbox();
  work = box.repository();
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@n', ...args], { cwd: work, env: box.env });
  box.write(join(work, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: work });
  for (const [at, session] of ['first', 'second', 'third'].entries()) {
    await fire(box, claude.start(session, work));
    await fire(box, claude.prompt(session, work, `Add the cache ${at}`));
    const write = {
      ...claude.shell(session, work, '', `w${at}`),
      ...{ tool_name: 'Write', tool_input: { file_path: join(work, 'a.txt'), content: `${at}\n` } },
    };
    await fire(box, write);
    box.write(join(work, 'a.txt'), `${at}\n`);
    await fire(box, { ...write, hook_event_name: 'PostToolUse', tool_response: { filePath: 'a.txt' } } as typeof write);
    const tests = claude.shell(session, work, `npm run test:${at}`, `t${at}`);
    await fire(box, { ...tests, hook_event_name: 'PostToolUse', tool_response: { stdout: '3 passed' } } as typeof tests);
    await fire(box, claude.stop(session, work));
    await eventually(async () => (await list(['checkpoints'], 'id')).length > at);
  }
  await eventually(async () => (await list(['observations'], 'id')).length === 3);
  ids.event = await list(['events', '--limit', '50'], 'eventId');
  ids.session = await list(['sessions'], 'id');
  ids.checkpoint = await list(['checkpoints'], 'id');
  ids.observation = await list(['observations'], 'id');
}, 120_000);
afterAll(() => box.end());

/** The latest last, as they are listed. */
const list = async (words: readonly string[], key: string): Promise<string[]> => {
  const found = await box.json<unknown>(words, { cwd: work });
  const rows = Array.isArray(found) ? found : ((found as { checkpoints?: unknown[] }).checkpoints ?? []);
  return rows.map((row) => String((row as Record<string, unknown>)[key]));
};
const run = (words: string, id: string) =>
  box.piton(
    words.split(' ').map((word) => (word === '{id}' ? id : word)),
    { cwd: work },
  );
const STEERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/;

it('there is a row for every argument and option that takes an ID', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  const found = page.split(/^##+ `piton /m).flatMap((section) => {
    const command = section.slice(0, section.indexOf('`'));
    const rows = [...section.matchAll(/^\| `(?:-\w, )?(--[\w-]+|[\w-]+)[^`]*` \| (.*) \|$/gm)];
    return rows.flatMap(([, name, text = '']) => (/\b(?:ID|prefix)\b/.test(text) && /@|prefix/.test(text) ? [`${command} ${name}`] : []));
  });
  expect(found.filter((name) => !Object.hasOwn(TAKES, name))).toEqual([]);
  expect(Object.keys(TAKES).filter((name) => !found.includes(name) && name !== 'clean --sessions')).toEqual([]);
});

/** Sessions and events are listed by what is shown of them: a happening is named by the event that decided. */
describe.each(RUN)('piton %s', (_, { kind, words, git }) => {
  it('takes a whole ID, a prefix that only one has, @, @~ and @~2, and all of them name the same', async () => {
    const all = ids[kind];
    expect(all.length).toBeGreaterThanOrEqual(3);
    const unique = (id: string): string => {
      for (let length = 8; length < id.length; length++)
        if (all.filter((each) => each.startsWith(id.slice(0, length))).length === 1) return id.slice(0, length + 4);
      return id;
    };
    const said = new Map<string, string>();
    const latest = all.at(-1) ?? '';
    const forms = git ? [latest] : ['@', '@~', '@~1', '@~2'];
    for (const ref of forms) {
      const answer = await run(words, ref);
      expect([ref, answer.code, answer.stderr]).toEqual([ref, 0, '']);
      // `clean` names it again, in the command to paste.
      said.set(ref, answer.stdout.replaceAll(`'${ref}'`, 'REF').replaceAll(`--sessions ${ref} `, '--sessions REF '));
    }
    expect(said.get('@~')).toBe(said.get('@~1'));
    for (const ref of [latest, unique(latest), latest.toLowerCase()]) {
      const answer = await run(words, ref);
      expect([ref, answer.code, answer.stderr]).toEqual([ref, 0, '']);
      expect(answer.stdout.replaceAll(`--sessions ${ref} `, '--sessions REF ')).toBe(said.get(forms[0] ?? ''));
    }
  });

  it('says what it could not find, what is ambiguous, and how to list them', async () => {
    for (const ref of ['ZZZZZZZZZZ', '@~999', '@x', '@~-1', '%', '_', '']) {
      const { code, stdout, stderr } = await run(words, ref);
      expect([ref, code === 0, stdout]).toEqual([ref, false, '']);
      expect([ref, stderr]).toEqual([ref, expect.stringMatching(/^error: .+\n/)]);
    }
    const shared = ids[kind].map((id) => id.slice(0, 6));
    const ambiguous = shared.find((start, at) => shared.indexOf(start) !== at);
    if (ambiguous === undefined) return;
    const { code, stderr } = await run(words, ambiguous);
    expect([ambiguous, code === 0]).toEqual([ambiguous, false]);
    expect(stderr).toMatch(/more than one/);
  });

  it('takes a hostile name for an ID that nobody has, on one line', async () => {
    const names = hostileNames().flatMap(({ text }) => (text === undefined || text.includes('\0') || text.startsWith('-') ? [] : [text]));
    for (const [at, name] of names.entries()) {
      if (at % 40 !== RUN.findIndex((row) => row[1].words === words) % 40) continue;
      const { code, stdout, stderr } = await run(words, name);
      expect([name, code === 0, STEERS.exec(stdout + stderr)?.[0]]).toEqual([name, false, undefined]);
      expect([name, stderr.split('\n')[0]?.startsWith('error: '), /^ +at .*:\d+/m.test(stderr)]).toEqual([name, true, false]);
    }
  });
});
