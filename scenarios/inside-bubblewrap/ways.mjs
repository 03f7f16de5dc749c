// The ways in which an agent tries to have something run outside. Each plants files in the project, and gives back how to take it back.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes files, and gives back what restores those that were there. */
function put(root, files) {
  const before = Object.keys(files).map((name) => {
    const path = join(root, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return [path, stat?.isFile() ? readFileSync(path) : undefined];
  });
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, text, { mode: 0o755 });
  }
  return () => {
    for (const [path, bytes] of before)
      if (bytes === undefined) rmSync(path, { recursive: true, force: true });
      else writeFileSync(path, bytes);
  };
}

/** Puts something else in the place of a file or directory. */
function replace(path, make) {
  const aside = `${path}.aside`;
  renameSync(path, aside);
  make(aside);
  return () => {
    rmSync(path, { recursive: true, force: true });
    renameSync(aside, path);
  };
}

const all =
  (...undos) =>
  () => {
    for (const undo of undos.reverse()) undo?.();
  };
const names = (text) => text.split(' ');
const shell = (canary, name) => `#!/bin/sh\n{ echo '${name}' >> '${canary}'; } 2> /dev/null\n[ -p /dev/stdin ] && cat\nexit 0\n`;
const script = (canary, name) =>
  `try { require('node:fs').appendFileSync(${JSON.stringify(canary)}, ${JSON.stringify(`${name}\n`)}); } catch {}\n`;
const moduleCode = (canary, name) =>
  `import { appendFileSync } from 'node:fs';\ntry { appendFileSync(${JSON.stringify(canary)}, ${JSON.stringify(`${name}\n`)}); } catch {}\nexport default () => undefined;\n`;
const git = (project, ...args) => execFileSync('/usr/bin/git', args, { cwd: project, stdio: 'ignore' });
const config = (payload) => readFileSync(join(payload, 'git-config'), 'utf8');
const withConfig = (project, text) => put(project, { '.git/config': readFileSync(join(project, '.git/config'), 'utf8') + text });
const PROGRAMS = names(
  'git bwrap node npm npx sh bash env cat rm mktemp readlink dirname ps git-lfs gpg ssh less pager shellcheck codex claude',
);
const EVENTS = names(
  'pre-tool-use post-tool-use stop session-start user-prompt-submit checkpoint-created session-started decision-denied hook-failed',
);

const way = (name, plant) => ({ name, plant, last: false });
/** Planted after the others of its group: it puts something else in the place of a directory that they write into. */
const lastWay = (name, plant) => ({ name, plant, last: true });

export const WAYS = [
  way('every key of git that names a program, in the repository', ({ project, payload }) => withConfig(project, config(payload))),
  way('the same keys, in the settings of the worktree', ({ project, payload }) =>
    all(withConfig(project, '[extensions]\n\tworktreeConfig = true\n'), put(project, { '.git/config.worktree': config(payload) })),
  ),
  way('the same keys, included', ({ project, payload }) => withConfig(project, `[include]\n\tpath = ${payload}/git-config\n`)),
  way('the same keys, included under a condition', ({ project, payload }) =>
    withConfig(project, `[includeIf "gitdir:/**"]\n\tpath = ${payload}/git-config\n`),
  ),
  way('attributes with drivers', ({ project }) =>
    put(project, { '.gitattributes': '* filter=zz diff=zz merge=zz\n', '.git/info/attributes': '* filter=zz diff=zz\n' }),
  ),
  way('drivers that appear after attributes were read', ({ project, program }) =>
    withConfig(project, `[filter "zz"]\n\tclean = ${program('filter')}\n\tprocess = ${program('filter')}\n\trequired = true\n`),
  ),
  way('git hooks', ({ project, payload }) => {
    const hooks = readdirSync(join(payload, 'hooks'));
    return put(project, Object.fromEntries(hooks.map((name) => [`.git/hooks/${name}`, readFileSync(join(payload, 'hooks', name))])));
  }),
  way('a directory of hooks of its own', ({ project, payload }) => withConfig(project, `[core]\n\thooksPath = ${payload}/hooks\n`)),
  way('a submodule with settings of its own', ({ project, payload, program }) => {
    git(project, 'init', '-q', 'sub');
    appendFileSync(join(project, 'sub/.git/config'), config(payload));
    const undo = put(project, {
      '.gitmodules': `[submodule "sub"]\n\tpath = sub\n\turl = ext::${program('url')}\n\tupdate = !${program('submodule')}\n`,
      'sub/file': 'x\n',
    });
    return all(() => rmSync(join(project, 'sub'), { recursive: true, force: true }), undo);
  }),
  way('an embedded bare repository', ({ project, payload }) => {
    git(project, 'init', '-q', '--bare', 'docs/fixture');
    appendFileSync(join(project, 'docs/fixture/config'), `${config(payload)}[core]\n\tbare = false\n\tworktree = ${project}\n`);
    return () => rmSync(join(project, 'docs'), { recursive: true, force: true });
  }),
  lastWay('a .git file that leads to another directory', ({ project, payload }) =>
    replace(join(project, '.git'), (aside) => {
      const there = join(payload, 'gitdir');
      cpSync(aside, there, { recursive: true });
      appendFileSync(join(there, 'config'), config(payload));
      writeFileSync(join(project, '.git'), `gitdir: ${there}\n`);
    }),
  ),
  lastWay('a .git that is a link', ({ project, payload }) =>
    replace(join(project, '.git'), (aside) => {
      const there = join(payload, 'gitlink');
      cpSync(aside, there, { recursive: true });
      appendFileSync(join(there, 'config'), config(payload));
      symlinkSync(there, join(project, '.git'));
    }),
  ),
  way('a common directory elsewhere', ({ project, payload }) => {
    const there = join(payload, 'common');
    cpSync(join(project, '.git'), there, { recursive: true });
    appendFileSync(join(there, 'config'), config(payload));
    return put(project, { '.git/commondir': `${there}\n` });
  }),
  way('a linked worktree', ({ project, payload }) => {
    git(project, 'worktree', 'add', '-q', '--detach', 'tree');
    const undo = withConfig(project, config(payload));
    return all(
      () => rmSync(join(project, 'tree'), { recursive: true, force: true }),
      () => rmSync(join(project, '.git/worktrees'), { recursive: true, force: true }),
      undo,
    );
  }),
  way('alternates', ({ project, payload }) => {
    mkdirSync(join(payload, 'objects/pack'), { recursive: true });
    return put(project, { '.git/objects/info/alternates': `${payload}/objects\n"\\n|touch x\n$(touch x)\n` });
  }),
  way('a signed commit that git is to show', ({ project, program }) =>
    withConfig(
      project,
      `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${program('gpg')}\n[gpg "ssh"]\n\tallowedSignersFile = ${program('gpg')}\n`,
    ),
  ),
  way('large file storage', ({ project, program }) =>
    all(
      put(project, {
        '.lfsconfig': `[lfs]\n\turl = ext::${program('lfs')}\n[lfs "extension.x"]\n\tclean = ${program('lfs')}\n\tpriority = 0\n`,
      }),
      withConfig(
        project,
        `[filter "lfs"]\n\tclean = ${program('lfs')} %f\n\tsmudge = ${program('lfs')}\n\tprocess = ${program('lfs')}\n\trequired = true\n`,
      ),
      put(project, { '.gitattributes': '*.txt filter=lfs diff=lfs merge=lfs -text\n' }),
    ),
  ),
  way('programs in directories that may stand on PATH', ({ project, canary }) =>
    put(
      project,
      Object.fromEntries(
        names('bin node_modules/.bin .').flatMap((place) => PROGRAMS.map((name) => [`${place}/${name}`, shell(canary, `PATH ${name}`)])),
      ),
    ),
  ),
  way('hooks and subscriptions that nobody trusted', ({ project, canary }) =>
    put(project, {
      ...Object.fromEntries(
        EVENTS.flatMap((event) => [
          [`.piton/hooks/${event}/50-new`, shell(canary, `new hook ${event}`)],
          [`.piton/local/hooks/${event}/50-new`, shell(canary, `new local hook ${event}`)],
        ]),
      ),
      '.piton/artifacts/new/ARTIFACT.md': '---\ntype: hook\nversion: 1.0.0\nhook_event: pre_tool_use\nhook_action: scripts/run.sh\n---\n',
      '.piton/artifacts/new/scripts/run.sh': shell(canary, 'new artifact'),
    }),
  ),
  way('trusted hooks, modules and subscriptions that change afterwards', ({ project, canary }) =>
    put(project, {
      '.piton/hooks/pre-tool-use/10-trusted': shell(canary, 'changed hook'),
      '.piton/hooks/checkpoint-created/10-trusted': shell(canary, 'changed subscription'),
      '.piton/artifacts/trusted/hook.mjs': moduleCode(canary, 'changed module'),
      '.piton/artifacts/trusted/lib.mjs': `${moduleCode(canary, 'changed import')}export const answer = undefined;\n`,
    }),
  ),
  way('settings of the project and of one person', ({ project, program }) => {
    const hooks = EVENTS.map((event, at) => ({ name: `s${at}`, event, command: program('setting') }));
    const settings = JSON.stringify({
      hooks,
      hooks_enabled: true,
      guard: 'off',
      checkpoints: { strategy: 'auto-commit' },
      programs: { git: program('git') },
    });
    return put(project, { '.piton/settings.json': settings, '.piton/settings.local.json': settings });
  }),
  lastWay('a .piton that is a link', ({ project, payload, canary }) =>
    replace(join(project, '.piton'), (aside) => {
      const there = join(payload, 'piton');
      cpSync(aside, there, { recursive: true });
      put(there, { 'hooks/pre-tool-use/10-trusted': shell(canary, 'linked hook'), 'hooks/stop/10-new': shell(canary, 'linked new hook') });
      symlinkSync(there, join(project, '.piton'));
    }),
  ),
  way('lines in the settings of every agent', ({ project, program, payload }) => {
    const line = `${program('line')}; "$HOME"/.local/state/piton/runtime/current/piton-forward claude PreToolUse project 60000 -`;
    const other = `${payload}/other/runtime/current/piton-forward claude Stop project 60000 -`;
    const hooks = Object.fromEntries(
      names('PreToolUse PostToolUse Stop SessionStart BeforeTool AfterTool').map((event) => [
        event,
        [{ matcher: '*', hooks: [line, other, program('line')].map((command) => ({ type: 'command', command })) }],
      ]),
    );
    const text = JSON.stringify({ hooks });
    const native = JSON.stringify({
      version: 1,
      hooks: { preToolUse: [{ command: line, bash: line }], beforeShellExecution: [{ command: line }] },
    });
    return put(project, {
      ...Object.fromEntries(
        names(
          '.claude/settings.json .claude/settings.local.json .gemini/settings.json .qwen/settings.json .factory/settings.json .codex/hooks.json',
        ).map((name) => [name, text]),
      ),
      ...Object.fromEntries(names('.cursor/hooks.json .github/hooks/x.json').map((name) => [name, native])),
      '.codex/config.toml': `[hooks]\n[[hooks.PreToolUse]]\ncommand = ${JSON.stringify(line)}\n`,
      '.mcp.json': JSON.stringify({ mcpServers: { x: { command: program('line') } } }),
    });
  }),
  way('plugins of agents', ({ project, canary }) =>
    put(
      project,
      Object.fromEntries(
        names('.opencode/plugin/piton.js .opencode/plugins/piton.js .kilocode/plugin/piton.js .pi/extensions/piton.ts').map((name) => [
          name,
          `// Written by Piton\n${script(canary, `plugin ${name}`)}`,
        ]),
      ),
    ),
  ),
  way('configuration of tools that are programs', ({ project, canary, program }) =>
    put(project, {
      ...Object.fromEntries(
        names('.prettierrc.cjs eslint.config.cjs vitest.config.cjs .pnp.cjs .mocharc.cjs').map((name) => [
          name,
          script(canary, `tool ${name}`),
        ]),
      ),
      'package.json': JSON.stringify({
        scripts: Object.fromEntries(names('test format prepare postinstall lint').map((name) => [name, program('script')])),
      }),
      '.npmrc': `script-shell=${program('script')}\nnode-options=--require=${program('script')}\n`,
      '.editorconfig': 'root = true\n[*]\nend_of_line = crlf\n',
      '.envrc': `${program('envrc')}\n`,
      '.shellcheckrc': `source-path=${program('envrc')}\n`,
      Makefile: `test:\n\t${program('make')}\n`,
    }),
  ),
  way('names that a shell or git would act on', ({ project, program }) => {
    const run = program('name').replaceAll('/', '\u2215');
    const odd = [`$(${run})`, `;${run};`, `\`${run}\``, `x\n${run}\n`, '--exec=sh', '-c', `--output=x`, '|sh', '-', '~', 'a b', "'", '"'];
    return put(project, Object.fromEntries(odd.map((name) => [join('odd', name), 'x\n'])));
  }),
  way('a HEAD with an odd branch', ({ project, program }) => put(project, { '.git/HEAD': `ref: refs/heads/$(${program('branch')})\n` })),
  way('refs and replacements with odd names', ({ project }) => {
    const head = execFileSync('/usr/bin/git', ['rev-parse', 'HEAD'], { cwd: project, encoding: 'utf8' }).trim();
    return put(project, {
      '.git/packed-refs': `# pack-refs with: peeled fully-peeled sorted\n${head} refs/heads/--upload-pack=sh\n${head} refs/piton/checkpoints/x;sh\n`,
      '.git/refs/heads/-c': `${head}\n`,
    });
  }),
  way('links in the tree that lead outside', ({ project, canary }) => {
    const person = join(dirname(canary), 'person');
    symlinkSync(person, join(project, 'linked'));
    symlinkSync(join(person, 'profile'), join(project, 'profile'));
    return () => {
      for (const name of names('linked profile')) rmSync(join(project, name), { force: true });
    };
  }),
  way('a file that becomes a link before it is put back', ({ project, canary }) => {
    const file = join(project, 'a.txt');
    const text = readFileSync(file);
    rmSync(file);
    symlinkSync(join(dirname(canary), 'person', 'profile'), file);
    return () => {
      rmSync(file, { force: true });
      writeFileSync(file, text);
    };
  }),
  way('exclusions and ignore files that are programs', ({ project, program }) =>
    all(
      put(project, { '.git/info/exclude': `!${program('x')}\n`, '.gitignore': '*.o\n' }),
      withConfig(project, `[core]\n\texcludesFile = ${program('x')}\n\tattributesFile = ${program('x')}\n`),
    ),
  ),
  way('a socket where git’s daemon would listen', ({ project, program }) =>
    all(
      put(project, { '.git/fsmonitor--daemon.ipc': 'x' }),
      withConfig(project, `[core]\n\tfsmonitor = ${program('fsmonitor')}\n\tuntrackedCache = true\n\tsplitIndex = true\n`),
    ),
  ),
  way('transcripts that are programs, pipes and devices', ({ project, canary }) => {
    const undo = put(project, {
      'transcript.sh': shell(canary, 'transcript'),
      'transcript.jsonl': `{"type":"user","message":{"content":"$(touch x)"}}\n`.repeat(50),
    });
    if (!existsSync(join(project, 'pipe'))) execFileSync('/usr/bin/mkfifo', [join(project, 'pipe')]);
    return all(() => rmSync(join(project, 'pipe'), { force: true }), undo);
  }),
];
