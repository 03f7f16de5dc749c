import { observedIn } from '@piton/context';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, eventOf, openBench, stampOf } from './recorded.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.end());

const base = { session_id: 's', cwd: '/proj/repo', transcript_path: '/t', tool_use_id: 't' };
const ran = (command: string, stdout = '') =>
  eventOf('claude', 'PostToolUse', {
    ...base,
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_response: { stdout, stderr: '', interrupted: false },
  });
const failed = (command: string, error = 'Error: no such module') =>
  eventOf('claude', 'PostToolUseFailure', {
    ...base,
    hook_event_name: 'PostToolUseFailure',
    tool_name: 'Bash',
    tool_input: { command },
    error: `Exit code 1\n${error}`,
  });
const wrote = (file: string) =>
  eventOf('claude', 'PostToolUse', {
    ...base,
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_input: { file_path: `/proj/repo/${file}`, content: '' },
    tool_response: { filePath: file },
  });

/** What the last of these events shows. */
async function observed(...events: ReturnType<typeof ran>[]) {
  await bench.play(events);
  return observedIn(await bench.store.ledger({}), stampOf(events.length), '/proj/repo').map(({ kind, holds, body }) => ({
    kind,
    holds,
    body,
  }));
}

describe('a command that works here', () => {
  it('is a test, build or lint that ended well', async () =>
    expect(await observed(ran('npm test'))).toEqual([
      { kind: 'works', holds: true, body: { command: 'npm test', purpose: 'test', cwd: '', eventId: stampOf(1) } },
    ]));

  it('no longer works once it fails', async () =>
    expect(await observed(ran('npm test'), failed('npm test'))).toMatchObject([{ kind: 'works', holds: false }]));

  it.each([
    ['without a purpose', ran('ls')],
    ['behind a pipe', ran('npm test | tail')],
    ['with an end that hides it', ran('npm test || true')],
  ])('is none %s', async (_, event) => expect(await observed(event)).toEqual([]));
});

describe('an error and what fixed it', () => {
  const fixes = async (...events: ReturnType<typeof ran>[]) => (await observed(...events)).filter(({ kind }) => kind === 'fix');

  it('is a failed command, the files that were written, and its success', async () =>
    expect(await fixes(failed('npm test'), wrote('src/a.ts'), ran('npm test'))).toEqual([
      {
        ...{ kind: 'fix', holds: true },
        body: {
          command: 'npm test',
          error: 'Error: no such module',
          fixedBy: 'changes in src/a.ts',
          events: [stampOf(1), stampOf(2), stampOf(3)],
        },
      },
    ]));

  it('is a failed command, and the command after which it succeeded', async () =>
    expect(await fixes(failed('npm test'), ran('npm install'), ran('npm test'))).toMatchObject([{ body: { fixedBy: 'npm install' } }]));

  it.each([
    ['that passed by itself', [failed('npm test'), ran('npm test')]],
    ['that is another command', [failed('npm test'), wrote('a.ts'), ran('npm run build')]],
    ['that had succeeded in between', [failed('npm test'), wrote('a.ts'), ran('npm test'), ran('npm test')]],
    ['that failed without a word', [failed('npm test', ''), wrote('a.ts'), ran('npm test')]],
    ['whose success is hidden', [failed('npm test | tail'), wrote('a.ts'), ran('npm test | tail')]],
  ])('is none for a command %s', async (_, events) => expect(await fixes(...events)).toEqual([]));
});
