// node bench/listings.mjs [--events 200000] [--keep <directory>]: a store of many events, written through the store itself, and how long
// each listing of the built command takes on it. A million events, with answers in transcripts, take some minutes and 5 GB. With --keep the store is used again.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importTypeScript } from '../scripts/import-typescript.mjs';
import { ROOT } from '../scripts/sources.mjs';
import { settleUsage } from '../scripts/usage.mjs';
import { fill } from './many-events.mjs';

settleUsage('usage: node bench/listings.mjs [--events <count>] [--keep <directory>]');
const { values: options } = parseArgs({ options: { events: { type: 'string', default: '200000' }, keep: { type: 'string' } } });
const LISTINGS = [
  [],
  ['status'],
  ['doctor'],
  ['events'],
  ['events', '--limit', '200'],
  ['events', '--all'],
  ['events', '--event', 'pre_compact'],
  ['events', '--event', 'pre_mcp_execution'],
  ['events', '--denied'],
  ['events', '--agent', 'codex'],
  ['events', '--agent', 'gemini'],
  ['events', '--session', '@'],
  ['events', '--since', '3650d'],
  ['events', '--since', '1m'],
  ['events', '--search', 'part 100'],
  ['events', '--search', 'nobody ever wrote this'],
  ['search', 'part'],
  ['search', 'part', '100'],
  ['search', 'part', '--newest'],
  ['search', 'nobody', 'ever', 'wrote', 'this'],
  ['search', 'part', '--since', '1m'],
  ['search', 'part', '--agent', 'gemini'],
  ['search', 'part', '--agent', 'codex'],
  ['search', 'part', '--session', '@'],
  ['search', 'part', '--here'],
  ['search', 'part', '--branch', 'main'],
  ['search', 'part', '--branch', 'rare'],
  ['search', 'part', '--branch', 'old'],
  ['search', 'part', '--file', 'part-7.ts'],
  ['search', 'lexer', 'token'],
  ['search', 'lexer', '--branch', 'rare'],
  ['search', 'lexer', '--agent', 'codex'],
  ['events', '--here'],
  ['events', '--own'],
  ['sessions'],
  ['sessions', '--agent', 'codex'],
  ['sessions', 'show', '@'],
  ['sessions', 'ledger', '@'],
  ['events', '--denied', '--agent', 'codex'],
  ['events', '--denied', '--here'],
  ['events', '--all', '--denied'],
  ['events', '--event', 'notification'],
  ['events', 'show', '@'],
  ['events', 'show', '@~500'],
  ['sessions', '--limit', '1000'],
  ['observations'],
  ['hooks'],
  ['hooks', 'explain'],
  ['clean', '--dry-run'],
  ['candidates', 'event-ids'],
  ['candidates', 'sessions'],
];

const SEARCHES = [
  ['part', {}],
  ['part 100', {}],
  ['nobody ever wrote this', {}],
  ['part', { branch: 'main' }],
  ['part', { branch: 'rare' }],
  ['part', { branch: 'old' }],
  ['part', { agent: 'claude' }],
  ['part', { agent: 'codex' }],
  ['part', { agent: 'gemini' }],
  ['part', { path: '/code/repository-3' }],
  ['lexer', { path: '/code/repository-3' }],
  ['part', { path: '/code' }],
  ['part', { path: '/code/repository-3', agent: 'codex' }],
  ['part', { path: '/code/repository-3', branch: 'old' }],
  ['part', { file: 'part-7.ts' }],
  ['part', { since: Date.now() * 1000 }],
  ['lexer token', {}],
  ['lexer', { branch: 'rare' }],
  ['lexer', { agent: 'codex' }],
];

const root = options.keep ? resolve(options.keep) : mkdtempSync(join(tmpdir(), 'piton-bench-listings-'));
try {
  const [home, work] = [join(root, 'home'), join(root, 'work')];
  for (const each of [join(home, 'state'), work]) mkdirSync(each, { recursive: true, mode: 0o700 });
  await fill(join(home, 'state', 'piton.db'), Number(options.events));
  const env = { PATH: process.env.PATH, HOME: work, PITON_HOME: home };
  const run = (args) => spawnSync(process.execPath, [join(ROOT, 'dist', 'cli.mjs'), ...args], { cwd: work, env, encoding: 'utf8' });
  if (!existsSync(join(ROOT, 'dist', 'cli.mjs'))) throw new Error('run `npm run build` first');
  console.log(`${'node -e 0'.padEnd(44)} ${time(() => spawnSync(process.execPath, ['-e', '0'], { env, encoding: 'utf8' }))}`);
  console.log(`${'--version alone'.padEnd(44)} ${time(() => run(['--version']))}`);
  await searchInStore(join(home, 'state', 'piton.db'));
  for (const args of LISTINGS) console.log(`${`piton ${args.join(' ')}`.padEnd(44)} ${time(() => run(args))}`);
} finally {
  if (!options.keep) rmSync(root, { recursive: true, force: true });
}

/** The search itself, in an open store as `piton mcp` has it, and what its index takes. */
async function searchInStore(file) {
  const { openStore, sizes } = await importTypeScript('bench/listings-entry.ts');
  const opened = await openStore({ kind: 'sqlite', file }, { readonly: true });
  if (!opened.ok) throw new Error(opened.error);
  for (const [words, query] of SEARCHES) {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 7; round++) {
      // What others do on this machine does not count.
      const before = process.cpuUsage();
      await opened.store.search(words, query);
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, (user + system) / 1000);
    }
    const name = [words, ...Object.entries(query).map(([key, value]) => `${key} ${value}`)].join(', ');
    console.log(
      `search in an open store: ${name}`.padEnd(70),
      `${best.toFixed(1).padStart(6)} ms CPU   budget 50 ms ${best < 50 ? 'within' : 'OVER'}`,
    );
  }
  await opened.store.close();
  const { index, bodies } = await sizes(file);
  console.log(
    `index ${(index / 1e6).toFixed(0)} MB, texts and bodies ${(bodies / 1e6).toFixed(0)} MB: ${((100 * index) / bodies).toFixed(0)} %`,
  );
}

/** The best of three: what the listing takes, not what else this machine is doing. Wall time, and what the processor worked. */
function time(work) {
  let best = Number.POSITIVE_INFINITY;
  let cpu = Number.POSITIVE_INFINITY;
  let lines = 0;
  for (let round = 0; round < 3; round++) {
    const started = performance.now();
    const before = childCpu();
    const { status, stdout, stderr } = work();
    best = Math.min(best, performance.now() - started);
    cpu = Math.min(cpu, childCpu() - before);
    // A doctor that found something exits with 1.
    if (status !== 0 && stdout === '') return `exit ${status}: ${stderr.trim()}`;
    lines = stdout.split('\n').length - 1;
  }
  return `${best.toFixed(0).padStart(6)} ms ${cpu.toFixed(0).padStart(6)} ms CPU  ${lines} lines`;
}

/** What the children that have ended took, in ms: fields 16 and 17, in ticks of 10 ms. */
function childCpu() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
