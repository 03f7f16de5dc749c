// What context costs: the start of a session that is told something beside one that is told nothing, in the same server; and the first
// start in a place that nobody has prepared, in a new server and a repository of 100,000 files, beside the same with context off. And how many tokens a session is given.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importTypeScript } from '../scripts/import-typescript.mjs';
import { ROOT } from '../scripts/sources.mjs';
import { quantile } from './side-by-side.mjs';
import { ask, createStage } from './stage.mjs';

const FILES = 100_000;
const COLD_ROUNDS = 20;

/** The forwarder as an agent spawns it. */
function fire(stage, cwd, event, session, more = {}) {
  const payload = { session_id: session, hook_event_name: event, cwd, transcript_path: '/home/dev/.claude/projects/x/x.jsonl', ...more };
  const began = process.hrtime.bigint();
  const { stdout } = spawnSync(stage.places.forwarder, ['claude', event, 'user', '60000', '-'], {
    ...{ cwd, env: stage.env, input: JSON.stringify(payload), encoding: 'utf8' },
  });
  const ms = Number(process.hrtime.bigint() - began) / 1e6;
  return { ms, context: JSON.parse(stdout || '{}').hookSpecificOutput?.additionalContext ?? '' };
}
const start = (stage, cwd, session) => fire(stage, cwd, 'SessionStart', session, { source: 'startup' });

/** A session that leaves something open. */
function leaveOpen(stage, cwd) {
  fire(stage, cwd, 'UserPromptSubmit', `earlier ${cwd}`, { prompt: 'Add a cache to the reader and test it' });
  const todos = ['Write the cache', 'Test the cache', 'Document it'].map((content) => ({ content, status: 'pending' }));
  fire(stage, cwd, 'PostToolUse', `earlier ${cwd}`, { tool_name: 'TodoWrite', tool_use_id: 't', tool_input: { todos }, tool_response: {} });
  const failed = { tool_name: 'Bash', tool_use_id: 'b', tool_input: { command: 'npm test' }, error: 'Exit code 1\n3 failed, 40 passed' };
  fire(stage, cwd, 'PostToolUseFailure', `earlier ${cwd}`, failed);
  fire(stage, cwd, 'Stop', `earlier ${cwd}`, { stop_hook_active: false, last_assistant_message: 'I stopped here.' });
}

/** As many files in its index as a large repository has, and none on disk: nothing here looks at them. */
function largeRepository(stage, name) {
  const root = join(stage.root, name);
  mkdirSync(root);
  const git = (args, input) =>
    execFileSync('git', args, { cwd: root, env: stage.env, input, stdio: ['pipe', 'pipe', 'ignore'], encoding: 'utf8' });
  git(['init', '--quiet', '--initial-branch=main']);
  const blob = git(['hash-object', '-w', '--stdin'], 'x\n').trim();
  const lines = Array.from({ length: FILES }, (_, at) => `100644 ${blob}\tpackages/p${at % 40}/src/f${at}.ts`);
  git(['update-index', '--index-info'], `${lines.join('\n')}\n`);
  return root;
}

/** Prints what it measured; `line` compares it with a budget. */
export async function benchContext(rounds, line) {
  const { tokensOf } = await importTypeScript('packages/context/src/text/block.ts');
  const stage = createStage();
  const [on, off] = ['on', 'off'].map((name) => largeRepository(stage, name));
  mkdirSync(join(off, '.piton'));
  writeFileSync(join(off, '.piton/settings.json'), '{ "context": "off" }');
  for (const cwd of [on, off]) leaveOpen(stage, cwd);
  await ask(stage, 'POST', '/v1/flush');
  let said = '';
  for (let at = 0; said === '' && at < 100; at++) {
    said = start(stage, on, `probe ${at}`).context;
    await sleep(100);
  }
  const times = { on: [], off: [] };
  for (let at = 0; at < rounds; at++) {
    times.off.push(start(stage, off, `off ${at}`).ms);
    times.on.push(start(stage, on, `on ${at}`).ms);
  }
  const cold = { off: [], short: [], full: [] };
  const told = { off: 0, short: 0, full: 0 };
  const roots = new Map(
    Object.keys(cold).map((mode) => {
      const root = largeRepository(stage, `cold-${mode}`);
      mkdirSync(join(root, '.piton'));
      writeFileSync(join(root, '.piton/settings.json'), JSON.stringify({ context: mode }));
      leaveOpen(stage, root);
      return [mode, root];
    }),
  );
  for (let at = 0; at < COLD_ROUNDS; at++) {
    for (const [mode, root] of roots) {
      // Another server knows nothing of the place.
      await ask(stage, 'POST', '/v1/flush');
      execFileSync(process.execPath, [join(ROOT, 'dist/cli.mjs'), 'server', 'stop'], { env: stage.env, stdio: 'pipe' });
      fire(stage, stage.root, 'Notification', 'wake', { message: 'x' });
      const { ms, context } = start(stage, root, `cold ${mode} ${at}`);
      cold[mode].push(ms);
      if (context !== '') told[mode] += 1;
    }
  }
  // The shape of a large repository is there for the second session.
  let structure = '';
  for (let at = 0; !structure.includes(`${FILES} files`) && at < 100; at++) {
    const { context } = start(stage, roots.get('full'), `shape ${at}`);
    if (context.length > structure.length) structure = context;
    await sleep(100);
  }
  const ms = (values) => quantile(values, 0.5);
  const shown = (name, value) => console.log(`  ${name.padEnd(58)} ${value.padStart(12)}`);
  console.log('\nThe start of a session in a repository of 100,000 files, the forwarder included');
  shown('context off', `${ms(times.off).toFixed(2)} ms`);
  shown('context short, prepared', `${ms(times.on).toFixed(2)} ms`);
  shown('context off, the first in a new server', `${ms(cold.off).toFixed(2)} ms`);
  shown('context short, the first in a new server', `${ms(cold.short).toFixed(2)} ms`);
  shown('context full, the first in a new server', `${ms(cold.full).toFixed(2)} ms`);
  shown('first sessions that were told something: short, full', `${told.short}, ${told.full} of ${COLD_ROUNDS}`);
  shown('tokens that a session is given: short', String(tokensOf(said)));
  shown('tokens that a session is given: full', String(tokensOf(structure)));
  const more = ms(times.on) - ms(times.off);
  line('prepared, more than context off', `${more.toFixed(2)} ms`, 'under 5 ms', more < 5);
  const first = ms(cold.short) - ms(cold.off);
  line('not prepared, more than context off in a new server', `${first.toFixed(2)} ms`, 'under 100 ms', first < 100);
  return stage;
}
