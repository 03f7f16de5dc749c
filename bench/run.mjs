// npm run bench: the budgets, each as a ratio against a baseline of the same run. It prints, and never fails for being slow.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release as kernel, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setup } from '../scripts/setup.mjs';
import { settleUsage } from '../scripts/usage.mjs';

settleUsage(`usage: npm run bench -- [options]

  --only <names>    these parts, separated by commas
  --rounds <count>  400 if you name none
  --events <count>  of the burst; 100000 if you name none
  --seed <number>   of the order in which the two sides take turns
  --release         with the forwarder as it is released`);
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '400' },
    seed: { type: 'string', default: String(randomInt(1, 2 ** 31)) },
    release: { type: 'boolean', default: false },
    events: { type: 'string', default: '100000' },
    only: { type: 'string' },
  },
});
setup();
const { step } = await import('../scripts/step.mjs');
if (!step('build', ['scripts/build.mjs'])) process.exit(1);
const { buildAlike, buildForwarder } = await import('../scripts/forwarder.mjs');
const { ROOT } = await import('../scripts/sources.mjs');
const { importTypeScript } = await import('../scripts/import-typescript.mjs');
const { sideBySide } = await import('./side-by-side.mjs');
const stages = await import('./stage.mjs');
const engine = await import('./engine.mjs');

const { release } = options;
const rounds = Number(options.rounds);
const wanted = (name) => !options.only || options.only.split(',').includes(name);
const tools = mkdtempSync(join(tmpdir(), 'piton-bench-tools-'));
const tool = (name, alike = release) => buildAlike({ source: join(ROOT, 'bench', `${name}.c`), out: join(tools, name), release: alike });

const SESSION = JSON.stringify({ session_id: 'bench', hook_event_name: 'SessionStart', source: 'startup' });
const TOOL_CALL = JSON.stringify({
  session_id: 'bench',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test', description: 'Run the tests' },
  tool_use_id: 'toolu_bench',
  // In its own place, as Claude Code names it: a payload that does not name its agent is first compared with all the others' (ADR 0035).
  transcript_path: '/home/dev/.claude/projects/-home-dev-app/bench.jsonl',
  padding: 'x'.repeat(2000),
});
const PROMPT = JSON.stringify({
  session_id: 'bench',
  hook_event_name: 'UserPromptSubmit',
  prompt: 'Add a test for the parser.',
  transcript_path: '/home/dev/.claude/projects/-home-dev-app/bench.jsonl',
});
const SCRIPT = '#!/bin/sh\ncat > /dev/null\n';
const SCRIPT_PATH = 'user-prompt-submit/10-script';
const EMPTY = 'smallest C client, empty Node server';
const ASKING = 'smallest C client, empty Node server that asks another';
const SCRIPT_ASKED_FOR = 'forwarder, the same told by an empty Node server';
const SCRIPT_ALONE = 'C program that spawns the same script';
const NOT_MATCHING = {
  hooks: Array.from({ length: 1000 }, (_, at) => ({ name: `n${at}`, event: 'pre_tool_use', matcher: `Tool${at}`, command: 'false' })),
};

const MODULE = 'export default ({ tool_input }) => (tool_input.command === "never" ? { decision: "deny", reason: "no" } : undefined);\n';
const WITH_MODULE = { hooks: [{ name: 'module', event: 'pre_tool_use', module: 'modules/quiet.mjs' }] };

/** Events a second. */
const RATE = 5000;

const ms = (value) => `${value.toFixed(3)} ms`;
const line = (what, figure, budget, within) =>
  console.log(`  ${what.padEnd(58)} ${figure.padStart(12)}   budget ${budget.padEnd(10)} ${within ? 'within' : 'OVER'}`);
const ratioLine = (figures, name, baseline, budget) => {
  const ratio = figures.get(name).median / figures.get(baseline).median;
  line(`${name} / ${baseline}`, `${ratio.toFixed(2)} ×`, `≤ ${budget} ×`, ratio <= budget);
};
const medians = (figures) => {
  for (const [name, { median, p95 }] of figures) console.log(`  ${name.padEnd(58)} ${ms(median).padStart(12)}   p95 ${ms(p95)}`);
};
const forward = (stage, event, input) => ({ argv: [stage.places.forwarder, 'claude', event, 'user', '60000', '-'], input });

/** No budget: how far down a server for Node could bring a line that compares with a program that asks nobody. */
const floorLine = (figures, what, name, baseline) =>
  console.log(
    `  ${`floor of the line above: ${what}`.padEnd(62)} ${(figures.get(name).median / figures.get(baseline).median).toFixed(2)} ×`,
  );

function serverOf(program, socket, ...args) {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), socket, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve) => child.stdout.once('data', () => resolve({ socket, stop: () => child.kill() })));
}

/** The least that an answer from any Node server costs. */
const emptyServer = (stage, socket = join(stage.project, 'empty.sock'), ...reply) => serverOf('empty-server.mjs', socket, ...reply);

/** The least that it costs where another Node process has to be asked. */
const askingServer = (stage) => serverOf('asking-server.mjs', join(stage.project, 'asking.sock'));

/** In the place of Piton's server one that says at once what is to be run. */
async function askingForScript(stage) {
  await stages.retire(stage);
  const { ackMessage, execMessage } = await importTypeScript('packages/contracts/src/wire/messages.ts');
  const told = { id: 1, timeoutMs: 30_000, stdoutCap: 1 << 20, stderrCap: 1 << 16, argv: [stage.hookFile(SCRIPT_PATH)] };
  const ifSilent = { exitCode: 0, stdout: '{}', stderr: '' };
  const exec = execMessage({ ...told, cwd: stage.project, set: { PITON_EVENT: 'bench' }, unset: ['GIT_*'], stdin: PROMPT, ifSilent });
  return emptyServer(stage, stage.places.hookSocket, stage.file('told', Buffer.concat([ackMessage(true), exec])));
}

async function spawned(stage, bare, crowded, withModule, told) {
  console.log(`\nSpawned programs, ${rounds} rounds in random order, server warm`);
  const call = stage.file('tool-call.json', TOOL_CALL);
  const prompt = stage.file('prompt.json', PROMPT);
  const empty = await emptyServer(stage);
  const asking = await askingServer(stage);
  const telling = await askingForScript(told);
  const candidates = [
    { name: 'forwarder', ...forward(stage, 'PreToolUse', call) },
    { name: 'smallest C client', argv: [tool('smallest-client'), stage.places.hookSocket, 'PreToolUse'], input: call },
    { name: EMPTY, argv: [tool('smallest-client'), empty.socket, 'PreToolUse'], input: call },
    { name: ASKING, argv: [tool('smallest-client'), asking.socket, 'PreToolUse'], input: call },
    { name: '/bin/true', argv: ['/bin/true'], input: call },
    // A server that hears of one candidate is colder than one that hears of three: these are compared with one of their kind.
    { name: 'forwarder, a server without hooks', ...forward(bare, 'PreToolUse', call) },
    { name: 'forwarder, 1,000 hooks, none matching', ...forward(crowded, 'PreToolUse', call) },
    { name: 'forwarder, one module hook', ...forward(withModule, 'PreToolUse', call) },
    { name: 'forwarder, one shell hook', ...forward(stage, 'UserPromptSubmit', prompt) },
    { name: SCRIPT_ASKED_FOR, ...forward(told, 'UserPromptSubmit', prompt) },
    { name: SCRIPT_ALONE, argv: [tool('spawn-script'), stage.hookFile(SCRIPT_PATH)], input: prompt },
  ];
  const figures = sideBySide(tool('spawner', false), candidates, {
    rounds,
    seed: options.seed,
    env: stages.plainEnvironment(),
    cwd: stage.project,
  });
  for (const server of [empty, asking, telling]) server.stop();
  medians(figures);
  console.log();
  ratioLine(figures, 'forwarder', 'smallest C client', 1.25);
  ratioLine(figures, 'forwarder', '/bin/true', 1.0);
  floorLine(figures, 'an empty Node server asked', EMPTY, '/bin/true');
  ratioLine(figures, 'forwarder, one shell hook', SCRIPT_ALONE, 1.3);
  floorLine(figures, 'told by an empty Node server', SCRIPT_ASKED_FOR, SCRIPT_ALONE);
  ratioLine(figures, 'forwarder, one shell hook', SCRIPT_ASKED_FOR, 1.3);
  const alone = figures.get('forwarder, a server without hooks').median;
  const more = figures.get('forwarder, 1,000 hooks, none matching').median - alone;
  line('1,000 hooks installed, none matching', `+${ms(more)}`, '< 0.2 ms', more < 0.2);
  const byModule = figures.get('forwarder, one module hook').median - alone;
  line('one module hook', `+${ms(byModule)}`, '< 1 ms', byModule < 1);
  const byAsking = figures.get(ASKING).median - figures.get(EMPTY).median;
  console.log(
    `  ${'floor of the line above: an empty Node server asks another'.padEnd(62)} +${ms(byAsking)}; ${(byModule / byAsking).toFixed(1)} × that`,
  );
  const { shareUs } = await stages.status(stage);
  line("the server's own share of an event, p50", ms(shareUs.p50 / 1000), '< 0.3 ms', shareUs.p50 < 300);
  line("the server's own share of an event, p99", ms(shareUs.p99 / 1000), '< 3 ms', shareUs.p99 < 3000);
}

/** What Node itself takes, with a second thread as ours has one. */
async function emptyResident() {
  const threads =
    "new (require('node:worker_threads').Worker)('setInterval(() => {}, 1e6)', { eval: true }).once('online', () => console.log())";
  const child = spawn(process.execPath, ['-e', threads], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const megabytes = stages.residentMegabytes(child.pid);
  child.kill();
  return megabytes;
}

async function embedded() {
  console.log('\nThe engine in somebody else’s loop');
  const directory = join(tools, 'package');
  mkdirSync(directory);
  const { library, server, planned, plain } = await engine.matchCost(directory);
  const us = (value) => `${value.toFixed(1)} µs`;
  console.log(`  a thousand plain comparisons take ${us(plain)}; a plan of the server with its 999 lines of trace ${us(planned)}`);
  line('1,000 hooks, one matching: matchesEvent', us(library), '< 50 µs', library < 50);
  line('1,000 hooks, one matching: in the server', us(server), '< 50 µs', server < 50);
  const { importing, empty } = await engine.installPackage(directory);
  const few = Math.max(20, Math.ceil(rounds / 5));
  const input = join(directory, 'none');
  writeFileSync(input, '');
  const candidates = [
    { name: 'a script that imports @piton/hooks', argv: [process.execPath, importing], input },
    { name: 'an empty script', argv: [process.execPath, empty], input },
  ];
  const figures = sideBySide(tool('spawner', false), candidates, {
    rounds: few,
    seed: options.seed,
    env: stages.plainEnvironment(),
    cwd: directory,
  });
  medians(figures);
  const more = figures.get('a script that imports @piton/hooks').median - figures.get('an empty script').median;
  line('the import', `+${ms(more)}`, '< 10 ms', more < 10);
}

async function burst(stage) {
  const all = Number(options.events);
  const program = tool('burst', false);
  const fire = (count, first, socket = stage.places.hookSocket) => {
    const { stdout, stderr, status } = spawnSync(program, [socket, count, RATE, stage.project, first].map(String), {
      encoding: 'utf8',
    });
    if (status !== 0) console.log(`  not all were answered: ${stderr.trim().split('\n').at(-1)}`);
    const [answered, seconds, p50, p99, longest, open] = stdout.trim().split('\t').map(Number);
    return { answered, seconds, p50, p99, longest, open };
  };
  const size = Math.min(25_000, all);
  console.log(`\nA burst of ${size} events at ${RATE} a second, each on its own connection`);
  const empty = await emptyServer(stage);
  const floor = fire(size, 0, empty.socket);
  empty.stop();
  const { counts: earlier, pid } = await stages.status(stage);
  const processorBefore = stages.processorSeconds(pid);
  const sent = fire(size, 0);
  const ended = performance.now();
  await stages.ask(stage, 'POST', '/v1/flush');
  const settled = (performance.now() - ended) / 1000;
  const { counts } = await stages.status(stage);
  const processorUs = ((stages.processorSeconds(pid) - processorBefore) / size) * 1e6;
  console.log(
    `  answered in ${sent.seconds} s; p50 ${ms(sent.p50 / 1000)}, p99 ${ms(sent.p99 / 1000)}, longest ${ms(sent.longest / 1000)}; at most ${sent.open} open`,
  );
  console.log(`  the server used ${processorUs.toFixed(0)} µs of processor time for each, storing included\n`);
  line('answered', String(sent.answered), `= ${size}`, sent.answered === size);
  // The last of them is sent when the time is up.
  const pace = (seconds) => size / Math.max(seconds, size / RATE);
  line('answered a second', pace(sent.seconds).toFixed(0), `≥ ${RATE}`, pace(sent.seconds) >= 0.98 * RATE);
  console.log(`  the most that an empty Node server answers of them here: ${pace(floor.seconds).toFixed(0)} a second`);
  line('stored', String(counts.stored - earlier.stored), `= ${size}`, counts.stored - earlier.stored === size);
  line('stored and searchable after the last answer', `${settled.toFixed(2)} s`, '≤ 5 s', settled <= 5);
  for (let fired = size; fired < all; fired += 25_000) {
    fire(Math.min(25_000, all - fired), fired);
    await stages.ask(stage, 'POST', '/v1/flush');
  }
  const atOnce = stages.residentMegabytes(pid);
  const atRest = await stages.atRest(() => stages.residentMegabytes(pid));
  console.log(`  resident memory right after the last of ${all} events: ${atOnce.toFixed(0)} MB`);
  line('resident memory of the server, once it rests', `${atRest.toFixed(0)} MB`, '< 100 MB', atRest < 100);
  console.log(`  floor of the line above: a Node process with one more thread  ${(await emptyResident()).toFixed(0)} MB`);
}

async function guarding() {
  const { guardCosts } = await import('./guard.mjs');
  const few = Math.max(5, Math.ceil(rounds / 40));
  console.log(`\nThe guard of our own files at a shell call, ${few} processes in which next to nothing is compiled`);
  const figures = guardCosts(few);
  for (const [kind, median] of figures) console.log(`  ${`a command, ${kind}`.padEnd(58)} ${ms(median).padStart(12)}`);
  console.log();
  const glance = figures.get('seen at a glance');
  const ratio = glance / figures.get('read');
  line('seen at a glance / read', `${ratio.toFixed(2)} ×`, '≤ 0.5 ×', ratio <= 0.5);
  line('seen at a glance', ms(glance), '< 0.02 ms', glance < 0.02);
}

async function redacting() {
  const { redaction } = await import('./redaction.mjs');
  console.log('\nRedaction in a worker, medians of 7 rounds, all sides in turn, by processor time');
  const { read, clean, value, dense } = await redaction();
  const speed = (figure) => `${figure.toFixed(0)} MB/s`;
  console.log(`  ${'reading every character of the same text'.padEnd(58)} ${speed(read).padStart(12)}`);
  console.log(`  ${'text that is half secrets'.padEnd(58)} ${speed(dense).padStart(12)}\n`);
  line('clean text', speed(clean), '≥ 50 MB/s', clean >= 50);
  line('clean text as a field of a payload', speed(value), '≥ 50 MB/s', value >= 50);
  console.log(`  ${'clean text / reading it'.padEnd(58)} ${`${(read / clean).toFixed(1)} ×`.padStart(12)}`);
}

async function attributing() {
  const few = Math.max(5, Math.ceil(rounds / 40));
  console.log(`\nWho wrote 5,000 lines in 300 turns, in this process, beside \`git blame\` of the same file, ${few} rounds in turns`);
  const { attributionCosts, BUDGETS, EXPLAIN_BUDGET } = await import('./attribution.mjs');
  const figures = await attributionCosts({ rounds: few, seed: Number(options.seed) });
  medians(figures);
  for (const [name, baseline, budget] of BUDGETS) ratioLine(figures, name, baseline, budget);
  const [explained, most] = EXPLAIN_BUDGET;
  const { median } = figures.get(explained);
  line(explained, ms(median), `≤ ${most} ms`, median <= most);
}

async function checkpointing() {
  const few = Math.max(5, Math.ceil(rounds / 40));
  console.log(`\nCheckpoints and git's own ways, in this process, ${few} rounds in turns`);
  const { checkpointCosts } = await import('./checkpoints.mjs');
  const { figures, commits, parts, aged } = await checkpointCosts(few);
  for (const [name, median] of [...figures, ...commits]) console.log(`  ${name.padEnd(58)} ${ms(median).padStart(12)}`);
  console.log('\n  of which (fast-import writes the objects and the ref)');
  for (const { name, parts: all } of parts)
    console.log(`  ${name.padEnd(58)} ${all.map(({ part, median }) => `${part} ${ms(median)}`).join(', ')}`);
  console.log();
  const compare = (name, from, to, budget) => line(name, `${(from / to).toFixed(2)} ×`, `≤ ${budget} ×`, from / to <= budget);
  const at = (name, files) => figures.get(`${name}, ${files} files`);
  compare('1 touched file, 100,000 files / 10,000', at('checkpoint, 1 touched', 100_000), at('checkpoint, 1 touched', 10_000), 1.5);
  compare('100 touched files, 100,000 files / 10,000', at('checkpoint, 100 touched', 100_000), at('checkpoint, 100 touched', 10_000), 1.5);
  compare('1 touched file / git status, 100,000 files', at('checkpoint, 1 touched', 100_000), at('git status', 100_000), 0.1);
  const first = at('checkpoint, 1 touched for the first time', 100_000);
  compare('1 touched for the first time / git status, 100,000 files', first, at('git status', 100_000), 0.1);
  for (const floor of ['git --version', 'one git fast-import'])
    console.log(
      `  floor of the two lines above: ${floor.padEnd(28)} ${`${(at(floor, 100_000) / at('git status', 100_000)).toFixed(2)} ×`.padStart(12)}`,
    );
  compare(
    'after a shell command / git status, 100,000 files',
    at('checkpoint after a shell command', 100_000),
    at('git status', 100_000),
    2,
  );
  compare(
    'after a shell command / git add -A, 100,000 files',
    at('checkpoint after a shell command', 100_000),
    at('git add -A, own index', 100_000),
    1.5,
  );
  compare('a checkpoint after 1,000 / after a few', aged.many, aged.few, 1.2);
  compare(
    'hooks of a commit, 500 sessions / 1',
    commits.get('hooks of a commit, 500 sessions'),
    commits.get('hooks of a commit, 1 sessions'),
    1.2,
  );
}

async function storing() {
  const { transcriptStorage } = await import('./transcripts.mjs');
  const { turns, transcript, whole, deflated, packed, ours } = await transcriptStorage();
  const size = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`\nA session of ${turns} turns, its transcript read after each; what tools answered is not kept`);
  console.log(`  ${'the transcript at the end'.padEnd(58)} ${size(transcript).padStart(12)}`);
  console.log(`  ${'one whole transcript for each checkpoint'.padEnd(58)} ${size(whole).padStart(12)}`);
  console.log(`  ${'the same, compressed one by one'.padEnd(58)} ${size(deflated).padStart(12)}`);
  console.log(`  ${'the same, packed by git gc'.padEnd(58)} ${size(packed).padStart(12)}`);
  console.log(`  ${'in the store'.padEnd(58)} ${size(ours).padStart(12)}\n`);
  const compare = (name, other, budget) =>
    line(`in the store / ${name}`, `${(ours / other).toFixed(4)} ×`, `≤ ${budget} ×`, ours / other <= budget);
  compare('one whole transcript for each checkpoint', whole, 0.01);
  compare('the same, compressed one by one', deflated, 0.05);
  compare('the same, packed by git gc', packed, 1);
}

const cpu = cpus();
console.log(
  `\nseed ${options.seed} · ${release ? 'release build (zig cc, musl)' : `clone build (${execFileSync('cc', ['--version'], { encoding: 'utf8' }).split('\n')[0]})`}`,
);
console.log(`Node ${process.versions.node} · ${process.platform} ${kernel()} · ${cpu.length} × ${cpu[0]?.model ?? 'unknown'}`);

const forwarder = release ? { forwarder: buildForwarder({ release: true, out: join(tools, 'piton-forward') }) } : {};
const opened = [];
const open = async (more) => {
  const stage = stages.createStage({ ...forwarder, ...more });
  opened.push(stage);
  await stages.warm(stage, SESSION);
  return stage;
};
try {
  const stage = await open({ hooks: { [SCRIPT_PATH]: SCRIPT } });
  if (wanted('spawned')) {
    const withModule = await open({ settings: WITH_MODULE, files: { 'modules/quiet.mjs': MODULE } });
    const told = await open({ hooks: { [SCRIPT_PATH]: SCRIPT } });
    await spawned(stage, await open(), await open({ settings: NOT_MATCHING }), withModule, told);
  }
  if (wanted('checkpoints') || wanted('ends')) {
    const { printEnds } = await import('./ends.mjs');
    await printEnds(await open(), tool('spawner', false), { rounds, seed: options.seed, ms, line });
  }
  if (wanted('engine')) await embedded();
  if (wanted('burst')) await burst(await open());
  if (wanted('guard')) await guarding();
  if (wanted('redaction')) await redacting();
  if (wanted('checkpoints')) await checkpointing();
  if (wanted('checkpoints') || wanted('looks') || wanted('turns')) {
    const { printLooks } = await import('./looks.mjs');
    const only = !wanted('checkpoints') && !wanted('looks');
    await printLooks(Math.max(5, Math.ceil(rounds / 20)), { ms, line, statAll: tool('stat-all', false), only });
  }
  if (wanted('checkpoints') || wanted('commits')) {
    const { printCommits } = await import('./commits.mjs');
    await printCommits(Math.max(10, Math.ceil(rounds / 10)), { ms, line });
  }
  if (wanted('checkpoints') || wanted('attribution')) await attributing();
  if (wanted('transcripts')) await storing();
  if (wanted('context')) opened.push(await (await import('./context.mjs')).benchContext(Math.min(rounds, 200), line));
} finally {
  for (const stage of opened) await stages.strike(stage);
  rmSync(tools, { recursive: true, force: true });
}
