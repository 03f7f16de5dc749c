import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { COMMAND } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTerminal, runOnTerminal } from '../docs/terminal.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

// What a file has in it is not Piton's to arrange: a diff is the same on a narrow terminal as in a pipe, but for its colours.
let box: Sandbox;
let work: string;
beforeAll(async () => {
  box = sandbox();
  work = box.repository();
  const command = `${box.write(join(box.home, 'log.sh'), '#!/bin/sh\ncat > /dev/null\n', 0o755)} ${'with many words behind it '.repeat(6)}`;
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] };
  box.write('.claude/settings.json', `${JSON.stringify({ hooks }, null, 2)}\n`);
  const artifact = join(box.home, 'artifacts/guard');
  mkdirSync(artifact, { recursive: true });
  const head = 'type: hook\nname: guard\nversion: 1.0.0\ndescription: Denies.\nhook_event: pre_shell_execution\nhook_action: run.sh';
  writeFileSync(join(artifact, 'ARTIFACT.md'), `---\n${head}\n---\n`);
  box.write(join(artifact, 'run.sh'), `#!/bin/sh\n# ${'A line that is longer than the terminal. '.repeat(4)}\n`, 0o755);
  expect((await box.piton(['init', '--agents', 'claude,codex', '--yes'], { cwd: work })).code).toBe(0);
});
afterAll(() => box.end());

const COMMANDS = [
  'init --agent gemini --dry-run',
  'uninstall --dry-run',
  'import --agent claude --remove-original --dry-run',
  `materialize ~/artifacts/guard --agent claude --dry-run`,
];

const linesOf = (text: string): string[] => text.replaceAll('\r', '').split('\n');
/** From the head of the first file on. */
const diffIn = (text: string): string[] => linesOf(text.slice(text.search(/^--- /m)));

describe.skipIf(!hasTerminal)('on a terminal the diff of', () => {
  it.each(COMMANDS)('piton %s is painted, and none of its lines is broken', async (words) => {
    const script = join(box.home, 'one.sh');
    const line = `'${process.execPath}' '${COMMAND}' ${words} < /dev/null`;
    writeFileSync(script, `stty cols 80 rows 50\n${line}\n`);
    const { output } = await runOnTerminal(script, work, { ...box.env, TERM: 'xterm', PAGER: 'cat' });
    writeFileSync(script, `${line} | cat\n`);
    const piped = await runOnTerminal(script, work, { ...box.env, TERM: 'xterm' });
    const wanted = diffIn(piped.output);
    expect(wanted.length).toBeGreaterThan(5);
    expect(diffIn(stripVTControlCharacters(output))).toEqual(wanted);
    expect(linesOf(output).some((each) => /^\u001b\[3[12]m[-+]/.test(each))).toBe(true);
  });
});
