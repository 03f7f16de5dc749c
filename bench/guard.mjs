// What the built-in guard costs in a server that hears little: each round is a process of its own, in which next to nothing is compiled.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importTypeScript } from '../scripts/import-typescript.mjs';
import { quantile } from './side-by-side.mjs';

/** The kinds of commands, each with a number that makes it another one. */
const AT_A_GLANCE = [
  (at) => `npm test -- ${at}`,
  (at) => `cd packages/x${at} && npx vitest run a.test.ts`,
  (at) => `grep -rn "foo${at}" src | head -20`,
  (at) => `git add -A && git commit -m "Add ${at}"`,
];
const LOOKED_UP = [(at) => `rm -rf dist${at}`, (at) => `echo x > notes${at}.md`];
const READ = [
  (at) => `npm test -- $X${at}`,
  (at) => `cd packages/x${at} && npx vitest run *.test.ts`,
  (at) => `for f in a${at} b; do wc -l "$f"; done`,
];
const KINDS = { 'seen at a glance': AT_A_GLANCE, 'files looked up': LOOKED_UP, read: READ };
const WARM_UPS = 5;
const ASKED = 5;

/** Median milliseconds of each kind. */
export function guardCosts(rounds) {
  const times = new Map(Object.keys(KINDS).map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round++) {
    const said = execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'once'], { encoding: 'utf8' });
    for (const [kind, all] of Object.entries(JSON.parse(said))) times.get(kind).push(...all);
  }
  return new Map([...times].map(([kind, all]) => [kind, quantile(all, 0.5)]));
}

async function once() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-bench-guard-')));
  try {
    const { AGENTS, GIT_HOOK_MARK, GIT_HOOKS, builtInGuardOf } = await importTypeScript('bench/guard-entry.ts');
    const cwd = join(base, 'work', 'project');
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, 'package.json'), '{}');
    const places = {
      home: join(base, 'ann/.local/state/piton'),
      config: join(base, 'ann/.config/piton'),
      sockets: join(base, 'run/piton'),
    };
    const guard = builtInGuardOf({
      ...{ places, agents: AGENTS, env: { HOME: join(base, 'ann') }, pids: [process.pid] },
      gitHooks: { names: GIT_HOOKS, mark: GIT_HOOK_MARK },
    });
    const call = (command) => ({ event: 'pre_tool_use', cwd, tool: { kind: 'shell', name: 'Bash', command, files: [], input: {} } });
    const times = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
    for (let at = 0; at < WARM_UPS + ASKED; at++) {
      for (const [kind, commands] of Object.entries(KINDS)) {
        for (const command of commands) {
          const event = call(command(at));
          const from = process.hrtime.bigint();
          guard(event);
          if (at >= WARM_UPS) times[kind].push(Number(process.hrtime.bigint() - from) / 1e6);
        }
      }
    }
    process.stdout.write(JSON.stringify(times));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

if (process.argv[2] === 'once') await once();
