// Git is started in one place only: packages/git closes its configuration and its environment.
import { Visitor } from 'oxc-parser';

const STARTERS = new Set(['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'runCommand']);
const ARGV_KEYS = new Set(['argv', 'command', 'program', 'file']);

const PROGRAM = /^(?:\S*\/)?git(?:\.exe)?(?:\s|$)/;
const IN_A_LINE = /(?:^|[;&|(`\n])\s*(?:\S*\/)?git\s/;

const textOf = (node) =>
  node?.type === 'Literal' && typeof node.value === 'string'
    ? node.value
    : node?.type === 'TemplateLiteral'
      ? node.quasis[0]?.value.raw
      : undefined;

function isGit(node) {
  const text = textOf(node);
  if (text !== undefined) return PROGRAM.test(text) || IN_A_LINE.test(text);
  if (node?.type === 'Identifier') return /^git(?:[A-Z]\w*)?$|^GIT(?:_\w+)?$/.test(node.name);
  if (node?.type === 'ArrayExpression') return isGit(node.elements[0]) || node.elements.some((each) => IN_A_LINE.test(textOf(each) ?? ''));
  if (node?.type === 'ObjectExpression') return node.properties.some(({ key, value }) => ARGV_KEYS.has(key?.name) && isGit(value));
  return false;
}

/** `spawn('git', …)`, a shell line that starts with it, or an `argv` of it, with any function that starts processes here. */
export function gitStarts(program) {
  const found = [];
  new Visitor({
    CallExpression: ({ callee, arguments: [first, second], start }) => {
      const name = callee.type === 'MemberExpression' ? callee.property.name : callee.name;
      if (!STARTERS.has(name)) return;
      if (isGit(first) || (second?.type === 'ArrayExpression' && second.elements.some((each) => IN_A_LINE.test(textOf(each) ?? ''))))
        found.push({ at: start, problem: 'starts git by itself: use @piton/git' });
    },
  }).visit(program);
  return found;
}

const SHELL_CALL = /(?:^|[;&|({!]|\b(?:if|then|else|do|while|until|command|exec|env|xargs)\b)\s*(?:\S*\/)?git\s/;

/** The library's shell scripts run without Piton. Their functions `ask_git` and `git` must close what packages/git closes. */
export function shellGitProblem(text, settings) {
  const body = text.replace(/(^|\s)#[^\n]*/g, '$1').replaceAll('\\\n', ' ');
  const calls = body.split('\n').filter((line) => SHELL_CALL.test(line));
  if (calls.length === 0) return undefined;
  const asking = /^ask_git\(\) \{\s*([\s\S]*?)\n\}/m.exec(body)?.[1];
  const wrapper = /^git\(\) \(\s*([\s\S]*?)\n\)/m.exec(body)?.[1];
  if (asking === undefined || wrapper === undefined) return 'starts git without functions ask_git and git that close its configuration';
  const missing = settings.filter((setting) => !asking.includes(`-c ${setting} `));
  if (missing.length > 0) return `its function ask_git does not set ${missing.join(', ')}, as packages/git does`;
  const unset = ['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_GLOBAL'].filter(
    (name) => !wrapper.includes(`${name}=`),
  );
  if (unset.length > 0) return `its function git does not set ${unset.join(', ')}, as packages/git does`;
  const around = calls.some((line) => /\b(?:command|env|exec|xargs)\s+(?:\S*\/)?git\s|\/git\s/.test(line) && !asking.includes(line.trim()));
  if (around) return 'starts git past its function git';
  const questions = body.match(/\bask_git\s+(?!\$|rev-parse\b|config\b)\S+/g)?.filter((call) => !call.endsWith('"$@"')) ?? [];
  return questions.length > 0 ? `asks git for more than settings and places: ${questions.join(', ')}` : undefined;
}

/** A command in an artifact's front matter cannot define a function first. */
export function artifactGitProblem(text) {
  const head = /^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '';
  return /^hook_action:.*(?:^|[\s;&|"'])git\s/m.test(head) ? 'starts git in its head: use a script' : undefined;
}
