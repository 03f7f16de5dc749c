// Which other versions of the real agents are driven, and what that has shown: packages/agents/src/driven.json.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { difference } from './agent-proof.mjs';
import { ROOT } from './sources.mjs';

const COMMITTED = 'packages/agents/src/driven.json';

/** The newest that the registry has, without previews. Null if it does not say. */
export function newestOf({ package: name }) {
  const { status, stdout } = spawnSync('npm', ['view', name, 'version', '--loglevel=error'], { encoding: 'utf8', timeout: 60_000 });
  const version = stdout?.trim();
  return status === 0 && /^\d+\.\d+\.\d+$/.test(version) ? version : null;
}

const readRows = (directory) =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')));

const byVersion = (a, b) => a.agent.localeCompare(b.agent) || a.version.localeCompare(b.version, 'en', { numeric: true });

/** One line a row, so that a difference names it. */
export function drivenText({ older, newest }) {
  const lines = (rows) =>
    [...rows]
      .sort(byVersion)
      .map((row) => `    ${JSON.stringify(row)}`)
      .join(',\n');
  return `{\n  "older": [\n${lines(older)}\n  ],\n  "newest": [\n${lines(newest)}\n  ]\n}\n`;
}

/** What a run has shown in the place of what is committed for the same versions, or of all the newest of these agents. */
export function settled(committed, part, shown, agents) {
  const kept =
    part === 'newest'
      ? committed.newest.filter((row) => !agents.includes(row.agent))
      : committed.older.filter((row) => !shown.some(({ agent, version }) => agent === row.agent && version === row.version));
  return { ...committed, [part]: [...kept, ...shown] };
}

/** Lines that say what differs from what is committed; with `write` it is committed instead. */
export function settleVersions(directory, { part, write, absent, agents }) {
  const before = readFileSync(join(ROOT, COMMITTED), 'utf8');
  const text = drivenText(settled(JSON.parse(before), part, [...readRows(directory), ...absent], agents));
  const lines = difference(before, text);
  if (!write) return lines;
  writeFileSync(join(ROOT, COMMITTED), text);
  console.log(lines.length === 0 ? 'nothing new was shown' : `wrote ${COMMITTED}: ${lines.length} lines changed`);
  return [];
}
