import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createBuiltInGuard } from '../../src/built-in-guard/guard.ts';
import { PERSONS_COMMANDS, personsCommand } from '../../src/built-in-guard/programs/piton-command.ts';
import { DISK, PLACES, shell } from './grounds.ts';

/** They change nothing that keeps an agent in check, or refuse by themselves what does. */
const EVERYBODYS = `
  status, doctor, demo, events, events list, events show, events tail, sessions, sessions list, sessions show,
  sessions ledger, observations, observations list, observations show, ui, search, agents, checkpoints, handoff, mcp, mcp serve, checkpoints list, checkpoints show, checkpoints diff, checkpoints repair, rewind, explain, blame, resume, export, hooks, hooks list, hooks search, hooks outdated, hooks index,
  hooks explain, hooks test, hooks backtest, hooks record, hooks replay, lint, server, server status, server start, server logs,
  server run, team, team status, team machines, team person, team person list, team audit, team audit list, team audit verify, settings, settings list, settings get, settings path, redact, schema, completion
`
  .split(',')
  .map((name) => name.trim());

test('every command of the command line is either the person’s or everybody’s', () => {
  const page = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');
  const there = [...page.matchAll(/^##+ `piton ([a-z -]+)`$/gm)].map(([, name]) => name as string);
  expect(there.length).toBeGreaterThan(40);
  const known = [...Object.keys(PERSONS_COMMANDS), ...EVERYBODYS];
  expect(there.filter((name) => !known.includes(name))).toEqual([]);
  // `settings edit` may come; all others are there.
  expect(known.filter((name) => !there.includes(name))).toEqual(['settings edit']);
});

test('the word behind an option that takes one does not make a command one that only shows', () => {
  const page = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');
  const sections = page.split(/^##+ `piton ([a-z -]+)`$/m).slice(1);
  const commands = sections.flatMap((name, at) => {
    const options = [...(sections[at + 1] ?? '').matchAll(/^\| `(--[a-z-]+) </gm)].map(([, option]) => option as string);
    return at % 2 === 0 && name in PERSONS_COMMANDS ? options.map((option) => [...name.split(' '), 'it', '--yes', option, '--help']) : [];
  });
  expect(commands.length).toBeGreaterThan(20);
  expect(commands.filter((words) => personsCommand(words) === undefined)).toEqual([]);
});

const guard = createBuiltInGuard(PLACES, DISK);

test.each([
  'npx @piton/cli hooks add npm:guards --yes',
  'npx -y @piton/cli@0.1.0 hooks add npm:guards --yes',
  'npx --package @piton/cli piton hooks add npm:guards --yes',
  'npx -p @piton/cli@latest -- piton hooks add npm:guards --yes',
  'npm exec @piton/cli -- hooks add npm:guards --yes',
  'npm exec --package=@piton/cli -- piton hooks add npm:guards --yes',
  'bunx @piton/cli untrust --all',
  'pnpm dlx @piton/cli untrust --all',
  'yarn dlx @piton/cli untrust --all',
  'node node_modules/@piton/cli/cli.mjs hooks add npm:guards --yes',
  'env -u CLAUDECODE setsid npx @piton/cli hooks add npm:guards --yes',
  // The word behind an option that takes one is its value.
  'piton hooks add npm:guards --yes --catalogue --help',
  'piton hooks add npm:guards --yes --catalogue --dry-run',
  'piton hooks add npm:guards --yes --catalogue -h',
  'piton trust --all --yes --may --list',
])('the command is seen in %s', (command) => {
  expect(guard(shell(command))).toMatchObject({ kind: 'command' });
});

test.each([
  'npx @piton/cli status',
  'npx @piton/cli hooks add guards --dry-run',
  'piton hooks add guards --yes --dry-run',
  'piton hooks add guards --hook --catalogue --help',
])('for everybody is %s', (command) => {
  expect(guard(shell(command))).toBeUndefined();
});
