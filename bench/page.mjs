// node bench/page.mjs [--events 1000000] [--keep <directory>] [--live]: a store of many events, how long each answer of the page takes
// on it, and how long of a processor, beside the smallest one; with --live the pages in Chromium too, and while 500 events a second come.
// A million events take some minutes and 5 GB. With --keep the store is used again.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importTypeScript } from '../scripts/import-typescript.mjs';
import { ROOT } from '../scripts/sources.mjs';
import { settleUsage } from '../scripts/usage.mjs';
import { cpuMs, measureLive, measurePlaces } from './live-page.mjs';
import { fill } from './many-events.mjs';

settleUsage('usage: node bench/page.mjs [--events <count>] [--keep <directory>] [--live]');
const { values: options } = parseArgs({
  options: { events: { type: 'string', default: '1000000' }, keep: { type: 'string' }, live: { type: 'boolean', default: false } },
});
const ROUNDS = 5;

const root = options.keep ? resolve(options.keep) : mkdtempSync(join(tmpdir(), 'piton-bench-page-'));
let page;
try {
  const [home, work] = [join(root, 'home'), join(root, 'work')];
  for (const each of [join(home, 'state'), work]) mkdirSync(each, { recursive: true, mode: 0o700 });
  const file = join(home, 'state', 'piton.db');
  await fill(file, Number(options.events));
  const { BENCH_HOOKS } = await importTypeScript('bench/listings-entry.ts');
  for (const hook of Object.values(BENCH_HOOKS)) {
    const path = join(home, 'config', 'hooks', hook.split(':')[1]);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  }
  const env = { PATH: process.env.PATH, HOME: work, PITON_HOME: home };
  page = spawn(process.execPath, [join(ROOT, 'dist', 'cli.mjs'), 'ui', '--json'], { cwd: work, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const { origin, hash } = new URL(await linkFrom(page));
  const body = JSON.stringify({ code: hash.replace('#code=', '') });
  const { token } = await (await fetch(`${origin}/api/token`, { method: 'POST', headers: { origin }, body })).json();
  const get = async (path) => {
    const response = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return { text, answer: JSON.parse(text) };
  };
  const { items } = (await get('/api/sessions')).answer;
  const session = items.toSorted((one, other) => other.events - one.events)[0]?.id;
  const routes = [
    '/api/text?of=event.what.none',
    '/api/meta',
    '/api/now',
    '/api/sessions',
    '/api/sessions?limit=200',
    '/api/sessions?denied=1',
    '/api/lanes?since=0',
    `/api/sessions/${session}`,
    `/api/sessions/${session}/turns`,
    `/api/sessions/${session}/items`,
    '/api/events?limit=200',
    '/api/events?denied=1',
    '/api/repositories',
    '/api/hooks',
    `/api/hooks/runs?hook=${BENCH_HOOKS.user}`,
    `/api/hooks/runs?hook=${BENCH_HOOKS.project}&root=/code/repository-1`,
    `/api/hooks/shadow?hook=${BENCH_HOOKS.user}`,
    '/api/overview?days=30',
    '/api/overview?days=366',
    '/api/overview?days=366&zone=Asia/Kathmandu',
    '/api/health',
    '/api/search?q=part',
    '/api/search?q=part+100&order=newest',
  ];
  for (const path of routes) {
    let [best, least, first, bytes] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const [started, before] = [performance.now(), cpuMs(page.pid)];
      const text = path.startsWith('/api/text') ? '' : (await get(path)).text;
      if (text === '') await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } }).then((response) => response.text());
      const took = performance.now() - started;
      if (round === 0) first = took;
      best = Math.min(best, took);
      least = Math.min(least, cpuMs(page.pid) - before);
      bytes = text.length;
    }
    const name = path.replace(session, ':id').padEnd(44);
    console.log(
      `${name} ${first.toFixed(0).padStart(6)} ms at first ${best.toFixed(1).padStart(8)} ms again ${least.toFixed(1).padStart(8)} ms of a processor ${(bytes / 1024).toFixed(0).padStart(6)} KB`,
    );
  }
  if (options.live) await measurePlaces({ origin, token, session });
  if (options.live) await measureLive({ origin, token, pid: page.pid, file });
} finally {
  page?.kill('SIGTERM');
  if (!options.keep) rmSync(root, { recursive: true, force: true });
}

function linkFrom(child) {
  return new Promise((done, fail) => {
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.trimEnd().endsWith('}')) done(JSON.parse(out).link);
    });
    child.once('exit', (code) => fail(new Error(`piton ui ended with ${code}`)));
  });
}
