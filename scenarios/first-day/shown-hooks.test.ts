import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claude, fire } from './payloads.ts';
import { CLI, type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
let project: string;
beforeEach(() => {
  box = sandbox();
  project = box.repository();
  mkdirSync(join(box.home, '.claude'));
  // The page names the command as a person has it, and it must not be one of this machine's.
  box.write('bin/piton', `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, 0o755);
});
afterEach(() => box.end());

/** The lines of a page that make a hook, up to `piton trust`. */
function shownOn(page: string): string {
  const [shown] = /^mkdir -p \.piton\/hooks\/[\s\S]*?(?=^piton trust$)/m.exec(readFileSync(resolve(page), 'utf8')) ?? [];
  if (shown === undefined) throw new Error(`${page} shows no hook`);
  return shown;
}

describe('the first hook that a page shows', () => {
  it.each([
    ['README.md', 'git push --force', 'Do not force-push'],
    ['docs/getting-started.md', 'rm -rf build', 'rm -rf is not allowed here'],
  ])('of %s denies what it says, at any length, and nothing else', async (page, command, reason) => {
    await box.piton(['init', '--yes'], { cwd: project });
    const env = { ...box.env, PATH: `${box.home}/bin:${box.env.PATH}` };
    expect(spawnSync('sh', ['-euc', shownOn(page)], { cwd: project, env, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    expect(await box.piton(['trust', '--all', '--yes'], { cwd: project })).toMatchObject({ code: 0, stderr: '' });
    const run = (line: string): Promise<string> => fire(box, claude.shell('s1', project, line));
    expect(await run('git status')).toBe('{}');
    expect(await run(command)).toContain(reason);
    expect(await run(`: ${'x'.repeat(5000)}; ${command}`)).toContain(reason);
  });
});
