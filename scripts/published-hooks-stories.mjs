// A dozen of the published hooks, each as a short session of a real agent: what the scripted model does, and what must be true
// afterwards.
import { CASES, KEY } from './published-hooks-cases.mjs';

/** Each turn is a call of one of the agent's tools, by kind. */
const shell = (command) => (tools) => tools.shell(command);
const write = (path, text) => (tools, repo) => tools.write(`${repo}/${path}`, text);
const edit = (path, before, after) => (tools, repo) => tools.edit(`${repo}/${path}`, before, after);
/** Agents without a tool for it read files in the shell. */
const read = (path) => (tools, repo) => tools.read?.(`${repo}/${path}`) ?? tools.shell(`cat ${path}`);

const FINE = shell('echo fine > fine.txt');
const isFine = ({ appeared }) => appeared.includes('fine.txt');
/** The model read why: as the result of the call, or beside it in a later request, as in Cline. */
const reported = (why, facts, result) => why.test(result?.text ?? '') || facts.requests.some(({ body }) => why.test(JSON.stringify(body)));
/** The first call was denied and the model read why; the second succeeded. */
const denied = (why, more) => ({
  effect: 'deny',
  so: (facts, look) =>
    isFine(facts) && !facts.appeared.includes('ran.txt') && reported(why, facts, facts.toolResults[0]) && (more?.(look) ?? true),
});
/** Where neither a start nor a prompt takes context it comes with a tool: in the first request, or in one of the same session. */
const context = (text) => ({
  effect: 'replace',
  so: (facts) => isFine(facts) && facts.requests.some(({ body }) => JSON.stringify(body).includes(text)),
});
const done = (more) => ({ effect: 'observe', so: (facts, look) => isFine(facts) && more(look, facts) });

const RULE = '---\nname: no-rm\nenabled: true\nevent: bash\npattern: rm\\s+-rf\naction: block\n---\n\nDo not remove it.\n';
const TEST = "it('works', () => {});\n";

/** Stories of this name are one session, with all their hooks beside each other. */
const TOGETHER = 'together';

const of = (path, rest) => ({ ...(CASES.find((hook) => hook.path === path) ?? rest.hook), ...rest });

export const STORIES = [
  of('examples/hooks/bash_command_validator_example.py', {
    told: '`grep` is told to be `rg`',
    turns: [shell('grep -r demo . > ran.txt')],
    ...denied(/rg/),
  }),
  of('plugins/plugin-dev/skills/hook-development/examples/validate-bash.sh', {
    told: '`rm -rf`',
    files: { 'kept/a.txt': 'a' },
    turns: [shell('rm -rf kept')],
    ...denied(/Dangerous command detected/, (look) => look.read('kept/a.txt') === 'a'),
  }),
  of('plugins/plugin-dev/skills/hook-development/examples/load-context.sh', {
    told: 'context of a Node project at the start',
    files: { 'package.json': '{}' },
    turns: [],
    ...context('Node.js project'),
  }),
  of('plugins/explanatory-output-style/hooks-handlers/session-start.sh', {
    told: 'context at the start',
    turns: [],
    ...context("You are in 'explanatory' output style mode"),
  }),
  of('plugins/hookify/hooks/pretooluse.py', {
    told: 'a rule of the project against `rm -rf`',
    files: { '.claude/hookify.no-rm.local.md': RULE, 'kept/a.txt': 'a' },
    turns: [shell('rm -rf kept')],
    // Its text is for the user (`systemMessage`); the model reads that it was denied.
    ...denied(/gave no reason/, (look) => look.read('kept/a.txt') === 'a'),
  }),
  of('plugins/block-dangerous-commands/block-dangerous-commands.js', {
    told: '`chmod 777`',
    turns: [shell('echo x > README.md && chmod 777 README.md && touch ran.txt')],
    ...denied(/chmod 777/, (look) => look.read('README.md') === '# demo\n'),
  }),
  of('plugins/protect-secrets/protect-secrets.js', {
    told: 'reading `.env`',
    files: { '.env': 'KEY=TOKEN_SECRET\n' },
    turns: [read('.env')],
    effect: 'deny',
    so: (facts) => isFine(facts) && facts.tokens.TOKEN_SECRET === undefined,
  }),
  of('plugins/protect-tests/protect-tests.js', {
    told: 'skipping a test',
    files: { 'tests/a.test.js': TEST },
    turns: [read('tests/a.test.js'), edit('tests/a.test.js', "it('works'", "it.skip('works'")],
    effect: 'deny',
    so: (facts, look) => isFine(facts) && look.read('tests/a.test.js') === TEST && /skip/.test(facts.toolResults[1]?.text ?? ''),
  }),
  of('plugins/auto-stage/auto-stage.js', {
    hook: { repository: 'karanb192/claude-code-hooks', run: 'node', path: 'plugins/auto-stage/auto-stage.js', event: 'post_tool_use' },
    told: 'stages what was written',
    turns: [write('new.js', 'let a;\n')],
    ...done((look) => look.git('diff', '--cached', '--name-only').split('\n').includes('new.js')),
  }),
  of('hooks/destructive-guard.sh', {
    told: '`git reset --hard`',
    turns: [shell('echo changed > README.md'), shell('git reset --hard')],
    effect: 'deny',
    so: (facts, look) => isFine(facts) && look.read('README.md') === 'changed\n' && /reset/.test(facts.toolResults[1]?.text ?? ''),
  }),
  of('hooks/secret-guard.sh', {
    told: '`git add .env`',
    turns: [shell('echo KEY=1 > .env'), shell('git add .env')],
    effect: 'deny',
    so: (facts, look) => isFine(facts) && look.git('ls-files', '.env') === '' && look.read('.env') === 'KEY=1\n',
  }),
  of('.claude/hooks/stop.py', {
    hook: { repository: 'disler/claude-code-hooks-mastery', run: 'python3', path: '.claude/hooks/stop.py', event: 'stop' },
    told: 'notes each end of a turn',
    turns: [],
    ...done((look) => JSON.parse(look.read('logs/stop.json') ?? '[]').length === 1),
  }),
  of('skills/misc/git-guardrails-claude-code/scripts/block-dangerous-git.sh', {
    session: TOGETHER,
    told: '`git clean -f`',
    turns: [shell('echo mine > mine.txt'), shell('git clean -f')],
    effect: 'deny',
    so: (facts, look) =>
      isFine(facts) && look.read('mine.txt') === 'mine\n' && reported(/matches dangerous pattern/, facts, facts.toolResults[1]),
  }),
  of('hooks/enforce-package-manager.sh', {
    session: TOGETHER,
    told: '`npm` in a project of pnpm',
    files: { 'pnpm-lock.yaml': '' },
    turns: [shell('npm --version > ran.txt')],
    ...denied(/uses pnpm/),
  }),
  of('hooks/session-start', { session: TOGETHER, told: 'its skill at the start', turns: [], ...context('You have superpowers.') }),
  of('plugins/safety-hooks/hooks/bash_hook.py', {
    session: TOGETHER,
    told: '`rm`',
    files: { 'kept.txt': 'a' },
    turns: [shell('rm kept.txt && touch ran.txt')],
    ...denied(/TRASH/, (look) => look.read('kept.txt') === 'a'),
  }),
  of('dist/bin/cc-safety-net.js', {
    session: TOGETHER,
    told: '`git checkout -- .`',
    turns: [shell('echo changed > README.md'), shell('git checkout -- .')],
    effect: 'deny',
    so: (facts, look) => isFine(facts) && look.read('README.md') === 'changed\n' && reported(/Safety Net/, facts, facts.toolResults[1]),
  }),
  of('scripts/hooks/block-no-verify.js', {
    session: TOGETHER,
    told: '`git commit --no-verify`',
    turns: [shell('git commit --allow-empty --no-verify -m ran && touch ran.txt')],
    ...denied(/no-verify flag is not allowed/),
  }),
  of('scripts/hooks/config-protection.js', {
    session: TOGETHER,
    matcher: 'Write|Edit|MultiEdit',
    told: 'an edit of `biome.json`',
    files: { 'biome.json': '{ "a": 1 }\n' },
    turns: [read('biome.json'), edit('biome.json', '"a": 1', '"a": 2')],
    effect: 'deny',
    so: (facts, look) =>
      isFine(facts) &&
      look.read('biome.json') === '{ "a": 1 }\n' &&
      reported(/Modifying biome.json is not allowed/, facts, facts.toolResults[1]),
  }),
  of('.claude/hooks/skill-eval.sh', {
    session: TOGETHER,
    told: 'skills for a prompt about tests',
    prompt: 'Write a jest unit test.',
    turns: [],
    ...context('testing-patterns'),
  }),
  of('full/scan-secrets.sh', {
    told: 'a prompt with a key',
    prompt: `Use the key ${KEY} for it.`,
    turns: [],
    effect: 'deny',
    so: (facts) => !facts.appeared.includes('fine.txt') && !facts.requests.some(({ conversation }) => conversation === 'main'),
  }),
  of('.claude/hooks/post-tool-use-tracker.sh', {
    session: TOGETHER,
    told: 'notes each file that was written',
    // Some write into no directory that is not there.
    files: { 'src/b.ts': '' },
    turns: [write('src/a.ts', 'let a;\n')],
    ...done((look, { appeared }) => {
      const log = appeared.find((path) => path.startsWith('.claude/tsc-cache/') && path.endsWith('/edited-files.log'));
      return log !== undefined && (look.read(log) ?? '').trim().endsWith('src/a.ts:src');
    }),
  }),
];

export const turnsOf = ({ turns }, tools, repo) => [...turns.map((turn) => turn(tools, repo)), FINE(tools, repo)];
