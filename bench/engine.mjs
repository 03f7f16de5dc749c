// The engine by itself: what a match costs, and what an import of the package costs.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importTypeScript } from '../scripts/import-typescript.mjs';
import { packHooks } from '../scripts/pack-hooks.mjs';
import { quantile } from './side-by-side.mjs';

const HOOKS = 1000;

/** Microseconds of each function, run in turns so that what else the machine does hits all alike. */
function inTurns(functions, rounds) {
  const times = functions.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, run] of functions.entries()) {
      const from = process.hrtime.bigint();
      run();
      if (round >= rounds / 10) times[at].push(Number(process.hrtime.bigint() - from) / 1000);
    }
  }
  return times.map((all) => quantile(all, 0.5));
}

/** A thousand hooks of one event, of which the last matches: as the library and as the server looks for it, and a plain comparison. */
export async function matchCost(directory) {
  const { matchesEvent } = await importTypeScript('packages/hooks/src/library/index.ts');
  const { createRegistry, matches, plan } = await importTypeScript('packages/hooks/src/index.ts');
  const matchers = Array.from({ length: HOOKS }, (_, at) => (at === HOOKS - 1 ? 'Bash' : `Tool${at}`));
  const hooks = matchers.map((matcher, at) => ({ name: `h${at}`, event: 'pre_tool_use', matcher, command: 'true' }));
  writeFileSync(join(directory, 'settings.json'), JSON.stringify({ hooks }));
  const parseSettings = (text) => ({ value: JSON.parse(text), errors: [] });
  const registry = createRegistry({ config: directory, trustDir: join(directory, 'trust'), parseSettings });
  const definitions = registry.hooksFor({ cwd: directory, sessionRoot: null }, ['pre_tool_use']);
  const tool = { name: 'Bash', nativeName: 'Bash', kind: 'shell', input: {}, files: [] };
  const event = {
    event: 'pre_tool_use',
    names: ['pre_tool_use'],
    agent: 'bench',
    nativeEvent: '',
    sessionId: '',
    cwd: '/',
    portable: {},
    raw: {},
    tool,
  };
  let found = 0;
  const [library, server, planned, plain] = inTurns(
    [
      () => {
        for (const hook of hooks) if (matchesEvent(hook, 'pre_tool_use', 'Bash')) found++;
      },
      () => {
        for (const hook of definitions) if (matches(hook, event)) found++;
      },
      () => {
        found += plan(event, definitions).deciding.length;
      },
      () => {
        for (const hook of hooks) if (hook.event === 'pre_tool_use' && hook.matcher === 'Bash') found++;
      },
    ],
    2000,
  );
  if (found !== 4 * 2000) throw new Error('the one that matches was not found each time');
  return { library, server, planned, plain };
}

/** A project with the package in it, and two scripts: one imports it, one is empty. */
export async function installPackage(directory) {
  const tarball = await packHooks(directory);
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', ['install', tarball, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory, stdio: 'pipe' });
  const script = (name, text) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  return { importing: script('importing.mjs', "import '@piton/hooks';\n"), empty: script('empty.mjs', '') };
}
