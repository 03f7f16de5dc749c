// A dozen of the published hooks, each as a short session of a real agent: what the scripted model does, and what must be true
// afterwards.
import { CASES } from './published-hooks-cases.mjs';

/** Each turn is a call of one of the agent's tools, by kind. */
const shell = (command) => (tools) => tools.shell(command);
const write = (path, text) => (tools, repo) => tools.write(`${repo}/${path}`, text);
const edit = (path, before, after) => (tools, repo) => tools.edit(`${repo}/${path}`, before, after);
/** Agents without a tool for it read files in the shell. */
const read = (path) => (tools, repo) => tools.read?.(`${repo}/${path}`) ?? tools.shell(`cat ${path}`);

const FINE = shell('echo fine > fine.txt');
const isFine = ({ appeared }) => appeared.includes('fine.txt');
/** The first call was denied and the model read why; the second succeeded. */
const denied = (why, more) => ({
  effect: 'deny',
  so: (facts, look) =>
    isFine(facts) && !facts.appeared.includes('ran.txt') && why.test(facts.toolResults[0]?.text ?? '') && (more?.(look) ?? true),
});
const context = (text) => ({ effect: 'replace', so: (facts) => isFine(facts) && JSON.stringify(facts.requests[0]?.body).includes(text) });
const done = (more) => ({ effect: 'observe', so: (facts, look) => isFine(facts) && more(look, facts) });

const RULE = '---\nname: no-rm\nenabled: true\nevent: bash\npattern: rm\\s+-rf\naction: block\n---\n\nDo not remove it.\n';
const TEST = "it('works', () => {});\n";

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
];

export const turnsOf = ({ turns }, tools, repo) => [...turns.map((turn) => turn(tools, repo)), FINE(tools, repo), { text: 'Finished.' }];
