import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addHook, removeHook } from '../../src/cline/dispatcher.ts';

/** The program for one event with these hooks in it, and what Cline reads from it. */
function answerOf(hooks: Readonly<Record<string, string>>): string {
  const base = mkdtempSync(join(tmpdir(), 'piton-cline-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  let text: string | null = null;
  for (const [id, script] of Object.entries(hooks)) {
    mkdirSync(join(base, 'piton-hooks', id), { recursive: true });
    writeFileSync(join(base, 'piton-hooks', id, 'run.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    text = addHook(text, id, 'PreToolUse') ?? null;
  }
  mkdirSync(join(base, 'hooks'));
  writeFileSync(join(base, 'hooks', 'PreToolUse.bash'), text ?? '', { mode: 0o755 });
  return spawnSync(join(base, 'hooks', 'PreToolUse.bash'), { input: '{"a":1}', encoding: 'utf8' }).stdout;
}

it('a refusal of one hook counts before what another says, whichever comes first', () => {
  const hooks = { says: `echo '{"contextModification":"look"}'`, refuses: `echo '{"cancel":true}'; exit 2`, quiet: `echo '{}'` };
  expect(answerOf(hooks)).toBe('{"cancel":true}\n');
  const { says, refuses, quiet } = hooks;
  expect(answerOf({ refuses, quiet, says })).toBe('{"cancel":true}\n');
});
it('every hook reads the whole payload, and silence is an answer', () => {
  expect(answerOf({ one: '[ "$(cat)" = \'{"a":1}\' ] && echo \'{"contextModification":"read"}\'' })).toBe(
    '{"contextModification":"read"}\n',
  );
  expect(answerOf({ one: `echo '{}'`, two: `echo '{}'` })).toBe('{}\n');
});
it('a file of somebody else is not taken over, nor taken away', () => {
  const theirs = '#!/bin/sh\necho mine\n';
  expect(addHook(theirs, 'one', 'PreToolUse')).toBeUndefined();
  expect(removeHook(theirs, 'one')).toBe(theirs);
});
