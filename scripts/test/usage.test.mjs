import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Everything in package.json that runs one script of ours. What writes generated files takes no options but `--check`. */
const COMMANDS = Object.entries(scripts).flatMap(([name, line]) => {
  const [, script] = /^node (?:-r \.\/scripts\/old-node\.cjs )?(\S+)$/.exec(line) ?? [];
  return script === undefined || ['start', 'build', 'package-rules', 'schemas'].includes(name) ? [] : [[name, script]];
});
/** No programs and no home: a command that does not know `--help` must not begin its work here. */
const run = (script, ...args) =>
  spawnSync(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { PATH: '', HOME: '/nonexistent' },
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });

describe('a command of package.json', () => {
  it('is found in package.json', () => expect(COMMANDS.length).toBeGreaterThan(6));

  it.each(COMMANDS)('%s --help prints its usage and starts nothing', (name, script) => {
    const { status, stdout, stderr } = run(script, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^usage: npm (run )?${name}\\b`));
  });

  it.each(COMMANDS.filter(([name]) => name !== 'test'))('%s refuses an option that it does not have', (_, script) => {
    const { status, stderr } = run(script, '--no-such-option');
    expect(status).toBeGreaterThan(0);
    expect(stderr).toContain('--no-such-option');
  });
});

it('every `npm run` that a page names is in package.json', () => {
  const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...readdirSync(join(ROOT, 'docs')).map((name) => join('docs', name))];
  const named = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\bnpm run ([\w:-]{2,})/g)].map(([, name]) => `${page}: ${name}`),
    );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((each) => scripts[each.split(': ')[1]] === undefined)).toEqual([]);
});
