// What a PATH finds first may have come with a repository: no program of ours is started by its bare name.
import { Visitor } from 'oxc-parser';

/** Every file of product code that starts programs, and where it has them from. A new one must say so here. */
export const STARTS = {
  'apps/cli/src/readiness/canary.ts': 'an installed registration, as the agent runs it',
  'apps/cli/src/catalogue/npm-source.ts': 'npm, found outside of working trees',
  'apps/cli/src/catalogue/ssh-keygen.ts': 'found outside of working trees',
  'apps/cli/src/commands/work/resume.ts': 'the agent, which the person asks for: their PATH',
  'apps/cli/src/commands/server.ts': 'the forwarder of the runtime',
  'apps/cli/src/demo/replay.ts': 'an installed registration, and `true` of the system',
  'apps/cli/src/doctor/machine-checks.ts': 'the recorded Node, and one found outside of working trees',
  'apps/cli/src/handoff/command.ts': 'the agent, which the person asks for: their PATH',
  'apps/cli/src/lint/shellcheck.ts': 'found outside of working trees',
  'apps/cli/src/output/pager.ts': 'found outside of working trees',
  'apps/cli/src/readiness/probe.ts': 'the agent, found outside of working trees',
  'apps/cli/src/runtime/installation.ts': 'the Node that runs us, by its path',
  'apps/cli/src/server/server-process.ts': 'the forwarder of the runtime',
  'apps/cli/src/team/sender-process.ts': 'the Node that runs us, by its path',
  'apps/cli/src/ui/open-browser.ts': 'found outside of working trees',
  'apps/client/src/plugin/forwarder.ts': 'the forwarder of the runtime',
  'hooks-library/verify-claims/ledger.ts': 'the Node that runs us, with the command beside the host',
  'packages/git/src/git-sync.ts': 'noted by `piton init`, or found outside of working trees',
  'packages/git/src/process.ts': 'noted by `piton init`, or found outside of working trees',
  'packages/hooks/src/module/host.ts': 'the Node that runs us, by its path',
  'packages/hooks/src/run/command.ts': 'a hook or a subscription: its own words, and PATH as docs/trust.md says',
  'packages/hooks/src/run/pipes.ts': 'mkfifo of the system',
  'packages/hooks/src/sandbox/sandbox.ts': 'noted by `piton init`, or found where the caller says',
};

const STARTERS = new Set(['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'runCommand']);

const textOf = (node) =>
  node?.type === 'Literal' && typeof node.value === 'string'
    ? node.value
    : node?.type === 'TemplateLiteral' && node.expressions.length === 0
      ? node.quasis[0]?.value.cooked
      : undefined;

const isBare = (node) => {
  const text = textOf(node);
  return text !== undefined && text !== '' && !text.startsWith('/');
};

function isBareStart([first]) {
  if (first?.type === 'ArrayExpression') return isBare(first.elements[0]);
  if (first?.type === 'LogicalExpression') return isBareStart([first.left]) || isBareStart([first.right]);
  if (first?.type !== 'ObjectExpression') return isBare(first);
  return first.properties.some(({ key, value }) => key?.name === 'argv' && value?.type === 'ArrayExpression' && isBare(value.elements[0]));
}

/** A start by a bare name, or in a file that is not listed. */
export function programStarts(path, program, imports) {
  const found = [];
  const starts = imports.find(({ specifier }) => specifier === 'node:child_process');
  if (starts && !STARTS[path])
    found.push({ at: starts.at, problem: 'starts programs: say where it has them from in scripts/package-rules/program-starts.mjs' });
  new Visitor({
    CallExpression: ({ callee, arguments: args, start }) => {
      const name = callee.type === 'MemberExpression' ? callee.property.name : callee.name;
      // Patterns and databases have an `exec` too.
      if (!STARTERS.has(name) || (name === 'exec' && (callee.type === 'MemberExpression' || !starts))) return;
      if (isBareStart(args)) found.push({ at: start, problem: 'starts a program by its bare name' });
      else if (name === 'execSync' || (name === 'exec' && callee.type === 'Identifier'))
        found.push({ at: start, problem: 'starts a shell: name a program' });
    },
  }).visit(program);
  return found;
}

/** The same for the forwarder. `execvp` is for hooks alone, in child.c: they have the agent's PATH. */
export function cStarts(path, text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));
  const lines = code.split('\n').map((line, at) => ({ line, at: at + 1 }));
  const allowed = path.endsWith('/child.c') ? /\bexecvp\(exec->argv\[0\], exec->argv\)/ : /(?!)/;
  return lines
    .filter(({ line }) => /\b(?:execvp|execlp|execvpe|posix_spawnp|popen|system)\s*\(/.test(line) && !allowed.test(line))
    .map(({ at }) => `${path}:${at} starts a program by its bare name`);
}

/** Entries whose file has gone would let the next one of that name pass. */
export const lostStarts = (paths) => Object.keys(STARTS).filter((path) => !paths.includes(path));
