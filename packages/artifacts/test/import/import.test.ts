import type { NativeHook } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { filesNamed, parseArtifact, toArtifact } from '../../src/index.ts';

const AGENT = { id: 'codex', title: 'Codex' };
const hook = (fields: Partial<NativeHook>): NativeHook => ({
  ...{
    place: { nativeEvent: 'Stop', path: 'hooks.Stop[0]', line: 1 },
    event: 'stop',
    command: 'x',
    timeoutMs: 5000,
    shape: 'native',
    notes: [],
  },
  ...fields,
});
function entryOf(fields: Partial<NativeHook>) {
  const made = toArtifact(hook(fields), { agent: AGENT, label: '~/hooks.json', bundled: [] });
  if (!made.ok) throw new Error(made.why);
  const { entry, problems } = parseArtifact(made.text, []);
  expect(problems).toEqual([]);
  return { name: made.name, ...entry } as Record<string, unknown>;
}

describe('an imported hook', () => {
  it('that may read its agent’s payload targets only that agent, in its native format', () => {
    expect(entryOf({ command: 'jq .x' })).toMatchObject({ wants: 'native', target_harnesses: ['codex'] });
    expect(entryOf({ command: 'notify-send "$(cat)"' })).toMatchObject({ wants: 'native' });
    expect(entryOf({ command: `echo '{"decision":"block"}'` })).toMatchObject({ wants: 'native' });
    expect(entryOf({ command: 'echo hello', event: 'session_start' })).toMatchObject({ wants: 'native' });
  });
  it('that reads nothing and prints nothing runs in every agent', () => {
    const entry = entryOf({ command: 'notify-send done && touch ~/.done' });
    expect(entry).not.toHaveProperty('wants');
    expect(entry).not.toHaveProperty('target_harnesses');
  });
  it('whose payload Piton never gets is not imported', () => {
    const made = toArtifact(hook({ shape: 'foreign', command: 'read-it' }), { agent: AGENT, label: 'x', bundled: [] });
    expect(made).toMatchObject({ ok: false, why: expect.stringContaining('does not get') });
  });
  it.each([["a: 'b' # c"], ['x\n---\ny: 1'], ['"quoted" & *star'], ['tab\there  \n  two']])(
    'keeps its command to the letter: %s',
    (command) => {
      expect(entryOf({ command })).toMatchObject({ command });
    },
  );
  it('is named after what it runs', () => {
    expect(entryOf({ command: 'cd /x && exec python3 "$CLAUDE_PROJECT_DIR"/.claude/check_all.py' }).name).toBe('stop-check-all');
  });
  it('finds scripts of the project where they were', () => {
    expect(entryOf({ command: 'scripts/a.sh && ./scripts/b.sh' })).toMatchObject({ command: '"$PWD"/scripts/a.sh && "$PWD"/scripts/b.sh' });
  });
});

describe('the files that a command names', () => {
  it.each([
    ['~/x.sh ~/data.json', ['~/x.sh']],
    ['python3 -u "$HOME/x.py" ~/data.json', ['$HOME/x.py']],
    ['date | tee -a ~/.claude/log', []],
    ['cat ~/notes && touch ~/.done', []],
    ['timeout 5 bash ~/x ~/out; exec ~/y', ['~/x', '~/y']],
  ])('of which it runs, in %s', (command, paths) => {
    expect(
      filesNamed(command)
        .filter(({ runs }) => runs)
        .map(({ path }) => path),
    ).toEqual(paths);
  });

  it.each([
    ['~/.claude/x.sh --y', ['~/.claude/x.sh']],
    ['"$CLAUDE_PROJECT_DIR"/.claude/a.sh', ['$CLAUDE_PROJECT_DIR/.claude/a.sh']],
    ['python3 "$CLAUDE_PROJECT_DIR/.claude/a.py"', ['$CLAUDE_PROJECT_DIR/.claude/a.py']],
    ['python3 "$HOME/my hooks/a b.py" -x', ['$HOME/my hooks/a b.py']],
    ['sh ./a.sh; /opt/b | .claude/c', ['./a.sh', '/opt/b', '.claude/c']],
    ['echo hello | jq .a', []],
    ['curl https://x.y/z', []],
    ['~/a.sh >> ~/a.log 2> ~/b.log', ['~/a.sh']],
    ['~/a.sh &> "$HOME/a.log" < ~/in.json >| /tmp/c', ['~/a.sh']],
    ['~/a.sh >>~/a.log; ~/b.sh >&2 ~/c.sh <(~/d.sh)', ['~/a.sh', '~/b.sh', '~/c.sh', '~/d.sh']],
  ])('of %s', (command, paths) => {
    expect(filesNamed(command).map(({ path }) => path)).toEqual(paths);
  });
});
