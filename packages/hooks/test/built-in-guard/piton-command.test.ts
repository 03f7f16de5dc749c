import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PERSONS_COMMANDS } from '../../src/built-in-guard/programs/piton-command.ts';

/** They change nothing that keeps an agent in check, or refuse by themselves what does. */
const EVERYBODYS = `
  status, doctor, demo, events, events list, events show, events tail, sessions, sessions list, sessions show,
  sessions ledger, observations, observations list, observations show, ui, search, agents, checkpoints, handoff, mcp, mcp serve, checkpoints list, checkpoints show, checkpoints diff, checkpoints repair, rewind, explain, blame, resume, export, hooks, hooks list, hooks search, hooks outdated, hooks index,
  hooks explain, hooks test, hooks backtest, hooks record, hooks replay, lint, server, server status, server start, server logs,
  server run, settings, settings list, settings get, settings path, redact, schema, completion
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
