import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Canaries, configText } from '@piton/testing/git-attack';
import { type HostileName, hostileNames, isFileName } from '@piton/testing/hostile-names';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Said, type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { ROWS } from './commands.ts';

// A clone decides what lies in it. Through every command, before `piton init` and after it: nothing of it runs, nothing of the
// person's changes, nothing hangs, fills the terminal, or looks like a line of Piton's.
const NAMES = hostileNames();
const TEXTS = NAMES.flatMap(({ text }) => text ?? []);
const STEERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/;
const MOST_OUTPUT = 2_000_000;

let box: Sandbox;
let clone: string;
let canaries: Canaries;
let outside: string;
beforeEach(() => {
  box = sandbox();
  clone = box.repository('clone');
  outside = join(box.home, 'outside');
  mkdirSync(outside);
  canaries = new Canaries(join(clone, 'programs'), join(outside, 'ran'));
});
afterEach(() => box.end());

const git = (...args: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@n', ...args], { cwd: clone, env: box.env, stdio: 'ignore' });
const named = (name: HostileName, directory: string): Buffer => Buffer.concat([Buffer.from(`${directory}/`), name.bytes]);

/** Files and folders by every name there is; the hooks and artifacts of the project too. */
function fillWithNames(): void {
  const program = '#!/bin/sh\nexit 0\n';
  for (const place of ['files', '.piton/hooks/stop', '.piton/artifacts', '.piton/hooks', 'folders'])
    mkdirSync(join(clone, place), { recursive: true });
  for (const [at, name] of NAMES.filter(isFileName).entries()) {
    write(named(name, join(clone, 'files')), 'one\n');
    if (at % 4 === 0) write(named(name, join(clone, '.piton/hooks/stop')), program);
    if (at % 9 === 0) mkdirOf(named(name, join(clone, '.piton/hooks')));
    if (at % 7 === 0) mkdirOf(named(name, join(clone, 'folders')));
    if (at % 12 !== 0) continue;
    const folder = named(name, join(clone, '.piton/artifacts'));
    mkdirOf(folder);
    write(
      Buffer.concat([folder, Buffer.from('/ARTIFACT.md')]),
      `---\ntype: hook\nversion: 1.0.0\nname: ${JSON.stringify(name.text ?? 'x')}\nhook_event: stop\nhook_action: 'true'\n---\n`,
    );
  }
}
const write = (path: Buffer, text: string): void => {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) writeFileSync(path, text, { mode: 0o755 });
};
const mkdirOf = (path: Buffer): void => {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path);
};

/** Hooks of every agent, repositories in the repository, settings of git that name programs, drivers. */
function fillWithPrograms(): void {
  const line = `${canaries.program('line')}; "$HOME"/.local/state/piton/runtime/current/piton-forward claude PreToolUse project 60000 -`;
  const hooks = {
    PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: line }] }],
    preToolUse: [{ command: line, bash: line }],
  };
  for (const file of '.claude/settings.json .gemini/settings.json .qwen/settings.json .factory/settings.json .codex/hooks.json .cursor/hooks.json .github/hooks/x.json'.split(
    ' ',
  )) {
    mkdirSync(join(clone, file, '..'), { recursive: true });
    writeFileSync(join(clone, file), JSON.stringify({ version: 1, hooks }));
  }
  const settings = configText([...canaries.settings(), ...canaries.attributes().settings]);
  writeFileSync(join(clone, '.gitattributes'), canaries.attributes().text);
  writeFileSync(join(clone, 'a.txt'), 'one\n');
  git('add', '-A', '--', 'a.txt', '.claude');
  git('commit', '-qm', 'FORGED subject');
  for (const [at, text] of TEXTS.entries())
    if (at % 3 === 0) spawnSync('git', ['update-ref', `refs/heads/x${text}`, 'HEAD'], { cwd: clone, env: box.env });
  git('init', '-q', '--bare', 'fixture');
  git('init', '-q', 'sub');
  for (const file of ['fixture/config', 'sub/.git/config', '.git/config'])
    writeFileSync(join(clone, file), readFileSync(join(clone, file), 'utf8') + settings);
  writeFileSync(
    join(clone, '.gitmodules'),
    `[submodule "sub"]\n\tpath = sub\n\turl = ext::${canaries.program('url')}\n\tupdate = !${canaries.program('update')}\n`,
  );
  execFileSync('mkfifo', [join(clone, 'pipe'), join(clone, 'fixture/pipe')]);
}

/** `.piton` itself, as a clone can bring it. */
const KINDS: Readonly<Record<string, () => void>> = {
  'with odd files in .piton': () => {
    fillWithNames();
    execFileSync('mkfifo', [join(clone, '.piton/settings.json'), join(clone, '.piton/hooks/stop/pipe'), join(clone, '.piton/context.md')]);
    symlinkSync('/dev/zero', join(clone, '.piton/settings.local.json'));
    symlinkSync('/dev/zero', join(clone, '.piton/protected-paths'));
    symlinkSync(outside, join(clone, '.piton/local'));
  },
  'whose .piton is a link': () => {
    writeFileSync(
      join(outside, 'settings.json'),
      JSON.stringify({ hooks: [{ name: 'x', event: 'stop', command: canaries.program('linked') }] }),
    );
    mkdirSync(join(outside, 'hooks/stop'), { recursive: true });
    canaries.program('linked hook', join(outside, 'hooks/stop/10-x'));
    symlinkSync(outside, join(clone, '.piton'));
  },
  'whose .piton is a repository of its own': () => {
    git('init', '-q', '.piton');
    writeFileSync(
      join(clone, '.piton/settings.local.json'),
      JSON.stringify({ checkpoints: { strategy: 'auto-commit' }, hooks: [{ name: 'x', event: 'stop', command: canaries.program('own') }] }),
    );
    mkdirSync(join(clone, '.piton/local/hooks/stop'), { recursive: true });
    canaries.program('own hook', join(clone, '.piton/local/hooks/stop/10-x'));
    writeFileSync(
      join(clone, '.piton/.git/config'),
      readFileSync(join(clone, '.piton/.git/config'), 'utf8') + configText(canaries.settings()),
    );
  },
};

/** Everything of the person's that a command could change. */
const persons = (): string =>
  [...readdirSync(outside, { recursive: true })].sort().join('\n') +
  ['.claude/settings.json', '.config/piton/settings.json', '.gitconfig']
    .map((name) => (existsSync(join(box.home, name)) ? readFileSync(join(box.home, name), 'utf8') : ''))
    .join('\0');

let turn = 0;
/** Another name each time; a NUL cannot be an argument. */
const filled = (words: readonly string[]): string[] =>
  words.map((word) => {
    turn += 7;
    return word.replace('{name}', () => TEXTS[turn % TEXTS.length] ?? '');
  });

async function runEvery(): Promise<Map<string, Said>> {
  const said = new Map<string, Said>();
  for (const [command, rows] of Object.entries(ROWS))
    for (const row of rows) {
      const words = [...command.split(' '), ...filled(row)];
      const before = persons();
      const { code, stdout, stderr } = await box.piton(words, { cwd: clone, input: '' });
      const text = stdout + stderr;
      expect([words, typeof code, canaries.ran(), persons() === before]).toEqual([words, 'number', [], true]);
      expect([
        words,
        STEERS.exec(text)?.[0],
        /^ +at .*:\d+/m.exec(text)?.[0],
        text.split('\n').find((line) => /^(?:✓ |fix: )?FORGED/.test(line)),
      ]).toEqual([words, undefined, undefined, undefined]);
      expect([words, text.length < MOST_OUTPUT]).toEqual([words, true]);
      said.set(words.join(' '), { code, stdout, stderr });
    }
  return said;
}

it('there is a row for every command', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  const commands = [...page.matchAll(/^##+ `piton ([^`]+)`$/gm)].map(([, name]) => name);
  expect(Object.keys(ROWS).sort()).toEqual(commands.sort());
  expect(NAMES.length).toBeGreaterThan(400);
});

describe.each(Object.keys(KINDS))('a clone %s', (kind) => {
  it.each(kind.includes('odd') ? ['before piton init', 'after it'] : ['after it'])(
    'runs, changes and hangs nothing through any command, %s',
    { timeout: 900_000 },
    async (when) => {
      KINDS[kind]?.();
      if (when === 'after it') {
        mkdirSync(join(box.home, '.claude'), { recursive: true });
        const { code, stderr } = await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: clone });
        expect([code, stderr, canaries.ran()]).toEqual([0, expect.anything(), []]);
      }
      fillWithPrograms();
      const said = await runEvery();
      // Before it, the command has no name of its own to paste.
      if (kind.includes('odd') && when === 'after it') pasteRemedies(said);
    },
  );
});

/** A person pastes what Piton says: into a real shell, with a `piton` that writes down what it was given. */
function pasteRemedies(said: ReadonlyMap<string, Said>): void {
  const lines = [...said].filter(([words]) => !words.includes('--json')).flatMap(([, { stdout, stderr }]) => (stdout + stderr).split('\n'));
  const remedies = new Set(lines.flatMap((line) => /(?:fix|review it): (?:review it: )?\S*piton ((?:un)?trust .+)$/.exec(line)?.[1] ?? []));
  expect(remedies.size).toBeGreaterThan(20);
  const bin = join(box.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'piton'), `#!/bin/sh\nprintf '%s\\0' "$#" "$2" >> '${join(box.home, 'pasted')}'\n`, { mode: 0o755 });
  const empty = join(box.home, 'empty');
  mkdirSync(empty);
  for (const remedy of remedies)
    execFileSync('sh', ['-c', `piton ${remedy}`], { cwd: empty, env: { ...box.env, PATH: `${bin}:${box.env.PATH}` } });
  const pasted = readFileSync(join(box.home, 'pasted'), 'utf8').split('\0').slice(0, -1);
  // No shell keeps line ends at the end of what a command prints.
  const ids = new Set([
    ...readdirSync(join(clone, '.piton/hooks/stop')).map((name) => `project:stop/${name.replace(/\n+$/, '')}`),
    ...readdirSync(join(clone, '.piton/artifacts')).map((name) => `project:artifacts/${name.replace(/\n+$/, '')}`),
  ]);
  expect(pasted.filter((_, at) => at % 2 === 0)).toEqual([...remedies].map(() => '2'));
  expect(pasted.filter((id, at) => at % 2 === 1 && !ids.has(id))).toEqual([]);
  expect(readdirSync(empty)).toEqual([]);
}
