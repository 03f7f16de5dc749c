// What the authors of published hooks claim, as events and answers.

/** The commits that were tested. */
export const REPOSITORIES = {
  'anthropics/claude-code': '5cfc0a1905ce0c0a9bd81d8a90fe6b62ff614357',
  'disler/claude-code-hooks-mastery': '052ad1cbd5aeb1ec4a1def22012d1293c6225625',
  'karanb192/claude-code-hooks': '811aeb7279e2517efb86acf800b73ff2089f3da8',
  'yurukusa/claude-code-hooks': '1bb4a9d9ce39e67a988f1dbc9a9b4d34a91a78d8',
  'ChrisWiles/claude-code-showcase': 'a95518f0cb67e86230119da40429169bc4c35a6f',
  'affaan-m/everything-claude-code': 'c40b6c0cf5968f606ff0d45071a0495b015d0ff5',
  'diet103/claude-code-infrastructure-showcase': 'a5818cb99f54f360303feacdeebe2ded291fdf71',
  'dwarvesf/claude-guardrails': '3137ea8a2f9278c48f24e2870513682508b44c91',
  'kenryu42/claude-code-safety-net': '1819ca2d7527e261fbfaee17237bc54d857a726c',
  'mattpocock/skills': 'ed37663cc5fbef691ddfecd080dff42f7e7e350d',
  'obra/superpowers': '44c9b2d6e889982ac18c27d05a19fefe335194e1',
  'pchalasani/claude-code-tools': 'c222978367db632e026c8a2be0a605b1b5bf14e0',
  'trailofbits/claude-code-config': '7db11a2803d304d294ebace78c0687e701385947',
};

const bash = (command) => ({ toolName: 'Bash', toolInput: { command } });
const edit = (toolName, file, more = {}) => ({ toolName, toolInput: { file_path: file, ...more } });
const when = (what, given, expected, more = {}) => ({ what, given, expected, ...more });
const quiet = when('`ls`', bash('ls'), 'observe');

const before = (repository, run, path, ...rest) => {
  const args = typeof rest[0] === 'string' ? rest.shift() : '';
  return { repository, run, path, event: 'pre_tool_use', args, cases: rest };
};
const on = (event, repository, run, path, args, ...cases) => ({ repository, run, path, event, args, cases });

const A = 'anthropics/claude-code';
const D = 'disler/claude-code-hooks-mastery';
const K = 'karanb192/claude-code-hooks';
const Y = 'yurukusa/claude-code-hooks';
const SAFETY = 'plugins/safety-hooks/hooks';
const ECC = 'scripts/hooks';
const DEV = 'plugins/plugin-dev/skills/hook-development/examples';
const RALPH = '---\niteration: 1\nmax_iterations: 5\ncompletion_promise: null\n---\nGo on with the parser.\n';
const TRANSCRIPT = `${JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] } })}\n`;
/** The one that its vendor documents as an example. */
export const KEY = 'AKIAIOSFODNN7EXAMPLE';
const RULE = '---\nname: no-rm\nenabled: true\nevent: bash\npattern: rm\\s+-rf\naction: block\n---\n\nDo not remove it.\n';

export const CASES = [
  before(A, 'python3', 'examples/hooks/bash_command_validator_example.py', when('`grep foo`', bash('grep foo .'), 'deny'), quiet),
  before(A, 'bash', `${DEV}/validate-bash.sh`, when('`sudo`', bash('sudo reboot'), 'deny'), quiet),
  before(
    A,
    'bash',
    `${DEV}/validate-write.sh`,
    when('`/etc/hosts`', edit('Write', '/etc/hosts'), 'deny'),
    when('a source file', edit('Write', '/w/a.ts'), 'observe'),
  ),
  on(
    'session_start',
    A,
    'bash',
    `${DEV}/load-context.sh`,
    '',
    when('a Node project', { source: 'startup' }, 'replace', {
      files: { 'package.json': '{}' },
      holds: ({ content }) => content.includes('Node.js project'),
    }),
  ),
  on(
    'session_start',
    A,
    'bash',
    'plugins/explanatory-output-style/hooks-handlers/session-start.sh',
    '',
    when('start', { source: 'startup' }, 'replace', { holds: ({ content }) => content.startsWith("You are in 'explanatory'") }),
  ),
  on(
    'session_start',
    A,
    'bash',
    'plugins/learning-output-style/hooks-handlers/session-start.sh',
    '',
    when('start', { source: 'startup' }, 'replace', { holds: ({ content }) => content.startsWith("You are in 'learning'") }),
  ),
  on(
    'stop',
    A,
    'bash',
    'plugins/ralph-wiggum/hooks/stop-hook.sh',
    '',
    when('no loop', {}, 'observe'),
    when('a loop', { payload: { transcript_path: '$PROJECT/transcript.jsonl' } }, 'continue', {
      files: { '.claude/ralph-loop.local.md': RALPH, 'transcript.jsonl': TRANSCRIPT },
      holds: (decision) => decision.continue.includes('Go on with the parser.') && decision.userMessage.includes('iteration 2'),
    }),
  ),
  before(
    A,
    'python3',
    'plugins/hookify/hooks/pretooluse.py',
    when('a rule against `rm -rf`', bash('rm -rf build'), 'deny', { files: { '.claude/hookify.no-rm.local.md': RULE } }),
    quiet,
  ),
  before(K, 'node', 'plugins/block-dangerous-commands/block-dangerous-commands.js', when('`rm -rf ~/`', bash('rm -rf ~/'), 'deny'), quiet),
  before(
    K,
    'node',
    'plugins/protect-secrets/protect-secrets.js',
    when('reading `.env`', edit('Read', '/w/.env'), 'deny'),
    when('reading a source file', edit('Read', '/w/a.ts'), 'observe'),
  ),
  before(
    K,
    'node',
    'plugins/protect-tests/protect-tests.js',
    when('skipping a test', edit('Edit', '/w/tests/a.test.js', { old_string: "it('works'", new_string: "it.skip('works'" }), 'deny'),
    when('an edit of a test', edit('Edit', '/w/tests/a.test.js', { old_string: '1', new_string: '2' }), 'observe'),
  ),
  before(
    K,
    'node',
    'plugins/config-guard/config-guard.js',
    when('an edit of `.claude/settings.json`', edit('Edit', '/w/.claude/settings.json', { old_string: 'a', new_string: 'b' }), 'deny'),
    quiet,
  ),
  before(K, 'node', 'plugins/git-safety/git-safety.js', when('a push to main', bash('git push origin main'), 'deny'), quiet),
  before(
    Y,
    'bash',
    'hooks/branch-guard.sh',
    when('a push to main', bash('git push origin main'), 'deny'),
    when('a push to a branch', bash('git push origin fix'), 'observe'),
  ),
  before(Y, 'bash', 'hooks/destructive-guard.sh', when('`git reset --hard`', bash('git reset --hard'), 'deny'), quiet),
  before(Y, 'bash', 'hooks/secret-guard.sh', when('`git add .env`', bash('git add .env'), 'deny'), quiet),
  before(
    Y,
    'bash',
    'hooks/cd-git-allow.sh',
    when('`cd x && git log`', bash('cd x && git log'), 'allow'),
    when('`cd x && git push`', bash('cd x && git push'), 'observe'),
  ),
  on(
    'permission_request',
    Y,
    'bash',
    'hooks/auto-approve-readonly.sh',
    '',
    when('`git status`', bash('git status'), 'allow'),
    when('`git push`', bash('git push'), 'observe'),
  ),
  before(
    Y,
    'bash',
    'hooks/comment-strip.sh',
    when('a comment before a command', bash('# list\nls'), 'modify', { holds: ({ input }) => input.command === 'ls' }),
    quiet,
  ),
  before(
    Y,
    'bash',
    'hooks/error-gate.sh',
    when('a push with an open error', bash('git push'), 'deny', {
      files: { 'errors.log': 'now|ERROR|broken\n' },
      env: { CC_ERROR_LOG: 'errors.log' },
    }),
    quiet,
  ),
  before(
    Y,
    'bash',
    'hooks/decision-warn.sh',
    when('a watched file', edit('Edit', '/w/bin/x'), 'observe', { env: { CC_MONITORED_DIRS: '/w/bin' } }),
  ),
  on(
    'post_tool_use',
    Y,
    'bash',
    'hooks/syntax-check.sh',
    '',
    when('a broken JSON file', edit('Write', '$PROJECT/a.json'), 'observe', { files: { 'a.json': '{' } }),
  ),
  before(
    D,
    'python3',
    '.claude/hooks/pre_tool_use.py',
    when('reading `.env`', edit('Read', '/w/.env'), 'deny'),
    when('`rm -rf /`', bash('rm -rf /'), 'deny'),
    quiet,
  ),
  on(
    'session_start',
    D,
    'python3',
    '.claude/hooks/session_start.py',
    '--load-context',
    when('start', { source: 'startup' }, 'replace', { holds: ({ content }) => content.includes('Session source: startup') }),
  ),
  on(
    'user_prompt_submit',
    D,
    'python3',
    '.claude/hooks/user_prompt_submit.py',
    '--validate',
    when('a prompt', { prompt: 'hello' }, 'observe'),
  ),
  on(
    'permission_request',
    D,
    'python3',
    '.claude/hooks/permission_request.py',
    '--auto-allow',
    when('reading a file', edit('Read', '/w/a.ts'), 'allow'),
  ),
  on(
    'post_tool_use',
    D,
    'python3',
    '.claude/hooks/post_tool_use.py',
    '',
    when('after `ls`', { ...bash('ls'), toolResponse: { stdout: 'a' } }, 'observe'),
  ),
  on(
    'pre_compact',
    D,
    'python3',
    '.claude/hooks/pre_compact.py',
    '',
    when('compaction', { source: 'auto', payload: { trigger: 'auto' } }, 'observe'),
  ),
  before(
    'mattpocock/skills',
    'bash',
    'skills/misc/git-guardrails-claude-code/scripts/block-dangerous-git.sh',
    when('`git clean -f`', bash('git clean -f'), 'deny'),
    quiet,
  ),
  before(
    'trailofbits/claude-code-config',
    'bash',
    'hooks/enforce-package-manager.sh',
    when('`npm install` in a project of pnpm', bash('npm install'), 'deny', { files: { 'pnpm-lock.yaml': '' } }),
    when('`npm install` elsewhere', bash('npm install'), 'observe'),
  ),
  on(
    'session_start',
    'obra/superpowers',
    'bash',
    'hooks/session-start',
    '',
    when('start', { source: 'startup' }, 'replace', { holds: ({ content }) => content.includes('You have superpowers.') }),
  ),
  before(
    'pchalasani/claude-code-tools',
    'python3',
    `${SAFETY}/bash_hook.py`,
    when('`rm`', bash('rm a.txt'), 'deny'),
    when('`ls`', bash('ls'), 'allow'),
  ),
  before(
    'kenryu42/claude-code-safety-net',
    'node',
    'dist/bin/cc-safety-net.js',
    '--claude-code',
    when('`git checkout -- .`', bash('git checkout -- .'), 'deny'),
    quiet,
  ),
  before(
    'affaan-m/everything-claude-code',
    'node',
    `${ECC}/block-no-verify.js`,
    when('`git commit --no-verify`', bash('git commit --no-verify -m x'), 'deny'),
    quiet,
  ),
  before(
    'affaan-m/everything-claude-code',
    'node',
    `${ECC}/config-protection.js`,
    when('an edit of `biome.json`', edit('Edit', '$PROJECT/biome.json', { old_string: 'a', new_string: 'b' }), 'deny', {
      files: { 'biome.json': '{}' },
    }),
    when('a source file', edit('Write', '/w/a.ts'), 'observe'),
  ),
  on(
    'user_prompt_submit',
    'ChrisWiles/claude-code-showcase',
    'bash',
    '.claude/hooks/skill-eval.sh',
    '',
    when('a prompt about tests', { prompt: 'Write a jest unit test.' }, 'replace', {
      holds: ({ content }) => content.includes('testing-patterns'),
    }),
    when('another prompt', { prompt: 'hello' }, 'observe'),
  ),
  on(
    'user_prompt_submit',
    'dwarvesf/claude-guardrails',
    'bash',
    'full/scan-secrets.sh',
    '',
    when('a prompt with a key', { prompt: `use ${KEY}` }, 'deny'),
    when('another prompt', { prompt: 'hello' }, 'observe'),
  ),
  on(
    'post_tool_use',
    'diet103/claude-code-infrastructure-showcase',
    'bash',
    '.claude/hooks/post-tool-use-tracker.sh',
    '',
    when('after a write', edit('Write', '$PROJECT/src/a.ts'), 'observe'),
  ),
];
