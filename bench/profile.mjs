// node bench/profile.mjs [--rounds N] [--write]: where the time of one event goes, from the agent's spawn of the forwarder to its
// end, by stage. --write puts it into bench/profile.md. Linux only.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release as kernel, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildAlike, buildForwarder } from '../scripts/forwarder.mjs';
import { setup } from '../scripts/setup.mjs';
import { ROOT } from '../scripts/sources.mjs';
import { step } from '../scripts/step.mjs';
import { settleUsage } from '../scripts/usage.mjs';
import { buildMarked, readNotes } from './profile/marks.mjs';
import { AFTERWARDS, joined, readStamps, STAGES, stagesOf } from './profile/stages.mjs';
import { interleaved, quantile } from './side-by-side.mjs';

const USAGE = `usage: node bench/profile.mjs [options]

  --rounds <count>  of each series; 400 if you name none
  --write           put it into bench/profile.md`;
settleUsage(USAGE, ['--rounds', '--write']);
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '400' }, write: { type: 'boolean', default: false } },
});
const rounds = Number(options.rounds);
const RESTS = Math.max(10, Math.ceil(rounds / 10));
const REST_MS = 2000;
setup();
if (!step('build', ['scripts/build.mjs'])) process.exit(1);
const stages = await import('./stage.mjs');

const BASE = { session_id: 'bench', transcript_path: '/home/dev/.claude/projects/-home-dev-app/bench.jsonl' };
const SESSION = JSON.stringify({ ...BASE, hook_event_name: 'SessionStart', source: 'startup' });
const TOOL_CALL = JSON.stringify({
  ...{ ...BASE, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'toolu_bench', padding: 'x'.repeat(2000) },
  tool_input: { command: 'npm test', description: 'Run the tests' },
});

const tools = mkdtempSync(join(tmpdir(), 'piton-profile-'));
const marked = (path) => join(tools, path);
const plain = buildForwarder({ release: true, out: marked('piton-forward') });
const stamped = buildForwarder({
  release: true,
  out: marked('piton-forward-stamped'),
  stamps: join(import.meta.dirname, 'profile/stamps.c'),
});
const spawner = buildAlike({ source: join(ROOT, 'bench/spawner.c'), out: marked('spawner') });
await buildMarked(tools, marked('notes'));

/** A warm server that takes notes, and both forwarders in its runtime: their own place tells them where the server is. */
async function openStage() {
  const stage = stages.createStage({ forwarder: plain });
  const runtime = realpathSync(stage.places.current);
  copyFileSync(stamped, join(runtime, 'piton-forward-stamped'));
  copyFileSync(join(tools, 'bundles/server.js'), join(runtime, 'bundles/server.js'));
  const { pid } = await stages.warm(stage, SESSION);
  return { stage, pid, stampedPath: join(stage.places.current, 'piton-forward-stamped') };
}

const argv = (program) => [program, 'claude', 'PreToolUse', 'user', '60000', '-'];

/** What the threads of the server used, in milliseconds, and how long its deciding one had to wait for a processor. */
function threadsOf(pid) {
  return readdirSync(`/proc/${pid}/task`).map((tid) => {
    const [used, waited] = readFileSync(`/proc/${pid}/task/${tid}/schedstat`, 'utf8').split(' ').map(Number);
    return { tid: Number(tid), decides: Number(tid) === pid, used: used / 1e6, waited: waited / 1e6 };
  });
}

async function series(name, { pinned = false, rest = false } = {}) {
  const { stage, pid, stampedPath } = await openStage();
  try {
    if (pinned) execFileSync('taskset', ['-apc', '0', String(pid)], { stdio: 'ignore' });
    const input = stage.file('call.json', TOOL_CALL);
    const candidates = [
      { name: 'stamped', argv: argv(stampedPath), input },
      { name: 'plain', argv: argv(stage.places.forwarder), input },
      { name: '/bin/true', argv: ['/bin/true'], input },
    ];
    const command = pinned ? ['taskset', '-c', '0', spawner] : [spawner];
    const env = stages.plainEnvironment({ PITON_PROFILE: marked('stamps') });
    const run = (chosen, count, warmUps) => interleaved(command, chosen, { rounds: count, warmUps, seed: 1, env, cwd: stage.project });
    rmSync(marked('stamps'), { force: true });
    const before = threadsOf(pid);
    let runs = [];
    if (!rest) runs = run(candidates, rounds, 20);
    for (let at = 0; rest && at < RESTS; at++) {
      for (const one of candidates) {
        await sleep(REST_MS / candidates.length);
        runs.push(...run([one], 1, 0));
      }
    }
    const threads = threadsOf(pid).map((now) => {
      const then = before.find(({ tid }) => tid === now.tid);
      return { ...now, used: now.used - (then?.used ?? 0), waited: now.waited - (then?.waited ?? 0) };
    });
    await stages.retire(stage);
    const took = (wanted) => runs.filter((one) => one.name === wanted).map((one) => one.took / 1e6);
    const own = joined(
      runs.filter((one) => one.name === 'stamped'),
      readStamps(marked('stamps')),
      readNotes(marked('notes')),
    );
    return { name, own, took, threads, events: runs.filter((one) => one.name !== '/bin/true').length };
  } finally {
    await stages.strike(stage);
  }
}

const us = (values, part) => String(Math.round(quantile(values, part) * 1000));
const row = (cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');

function stageTable(all, list, fromOf) {
  const split = all.map(({ own }) => own.map((run) => stagesOf(run, list, fromOf(run))));
  const cells = (runs, at) => [
    us(
      runs.map((one) => one[at]),
      0.5,
    ),
    us(
      runs.map((one) => one[at]),
      0.95,
    ),
  ];
  return list.map(([name], at) => [name, ...split.flatMap((runs) => cells(runs, at))]);
}

try {
  const all = [
    await series('warm, two cores'),
    await series('warm, one core', { pinned: true }),
    await series('after a rest of two seconds', { rest: true }),
  ];
  const head = ['µs', ...all.flatMap(({ name }) => [name, 'p95'])];
  const totals = ['stamped', 'plain', '/bin/true'].map((name) => [
    { stamped: '**all of it, with marks**', plain: '**the forwarder as it is**' }[name] ?? `\`${name}\``,
    ...all.flatMap(({ took }) => [us(took(name), 0.5), us(took(name), 0.95)]),
  ]);
  const per = (value, { events }) => `${Math.round((value / events) * 1000)}`;
  const sum = (threads, key) => threads.reduce((total, thread) => total + thread[key], 0);
  const threads = [
    [
      'the deciding thread: processor',
      ({ threads: list }) =>
        sum(
          list.filter(({ decides }) => decides),
          'used',
        ),
    ],
    [
      'the deciding thread: waits for a processor',
      ({ threads: list }) =>
        sum(
          list.filter(({ decides }) => decides),
          'waited',
        ),
    ],
    [
      'all other threads: processor',
      ({ threads: list }) =>
        sum(
          list.filter(({ decides }) => !decides),
          'used',
        ),
    ],
  ].map(([name, value]) => [name, ...all.map((one) => per(value(one), one))]);
  const cpu = cpus();
  const text = `# Where the time of one event goes

Made by \`node bench/profile.mjs --write\`. A \`PreToolUse\` with a shell command and a payload of 2 KB, the built-in guard, nothing else to run; the release build of the forwarder. Microseconds: the median of each stage, and its p95. Medians of stages do not add up to the median of the whole.

Node ${process.versions.node}, ${process.platform} ${kernel()}, ${cpu.length} × ${cpu[0]?.model ?? 'unknown'}; ${rounds} rounds, after a rest ${RESTS}.

${table(head, [...stageTable(all, STAGES, ({ began }) => began), ...totals])}

What the server does when the agent has its answer:

${table(
  head,
  stageTable(all, AFTERWARDS, ({ written }) => written),
)}

What the threads of the server took, per event, in microseconds:

${table(['µs', ...all.map(({ name }) => name)], threads)}

How: five calls of the forwarder go through [stamps.c](profile/stamps.c), which notes the time; the server is bundled with [marks](profile/marks.mjs) in its sources. Both read the monotonic clock. Writing the stamps down is in the last stage, which is therefore longer than it is without.
`;
  console.log(`\n${text}`);
  if (options.write) writeFileSync(join(import.meta.dirname, 'profile.md'), text);
} finally {
  rmSync(tools, { recursive: true, force: true });
}
