// Runs hooks that people published for Claude Code, unchanged, against the engine, and writes docs/published-hooks.md.
//   node scripts/published-hooks.mjs <directory of checkouts> [--agents [--story=<part of a path>] [--agent=<id,…>] [--only-agents]] [--write]
// With --agents some of them also run in the real agents, which `npm run test:agents -- --install-only` has installed.
// A checkout lies in <owner>__<repository>. Their code is no part of this repository.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { importTypeScript } from './import-typescript.mjs';
import { NOT_HONOURED, playAgents, readSeen, SEEN_FILE } from './published-hooks-agents.mjs';
import { CASES, REPOSITORIES } from './published-hooks-cases.mjs';
import { ROOT } from './sources.mjs';

const [checkouts] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (!checkouts) throw new Error('name the directory of checkouts');
const write = process.argv.includes('--write');
const agentsOnly = process.argv.includes('--only-agents');
const { fire } = await importTypeScript('packages/hooks/src/library/index.ts');

/** In its own home and project, with nothing of this machine. */
async function runCase({ repository, path, run, event, matcher = '', args = '' }, { given, files = {}, env = {} }) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-published-')));
  try {
    const [home, cwd] = [join(base, 'home'), join(base, 'project')];
    for (const directory of [home, cwd]) mkdirSync(directory);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    const checkout = join(checkouts, repository.replace('/', '__'));
    const file = join(checkout, path);
    if (!existsSync(file)) return { missing: true };
    const command = `${run} "${file}" ${args}`.trim();
    const variables = { HOME: home, CLAUDE_PLUGIN_ROOT: dirname(dirname(file)), CLAUDE_ENV_FILE: join(home, 'env'), ...env };
    const happening = JSON.parse(JSON.stringify(given).replaceAll('$PROJECT', cwd));
    const options = { cwd, env: variables, sessionId: 'published', unset: ['CLAUDE_*', 'ANTHROPIC_*', 'OPENAI_*'], ...happening };
    const { decision, trace } = await fire([{ name: path, event, matcher, command, timeout: 20_000 }], event, options);
    return { decision, entry: trace[0] };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const rows = [];
let wrong = 0;
for (const hook of agentsOnly ? [] : CASES) {
  for (const one of hook.cases) {
    const { decision, entry, missing } = await runCase(hook, one);
    const said = missing ? 'not there' : entry?.failed ? `failed: ${entry.note}` : decision.decision;
    const right = said === one.expected && (one.holds === undefined || one.holds(decision));
    if (!right) wrong++;
    console.log(
      `${right ? 'ok   ' : 'WRONG'} ${hook.repository} ${hook.path}: ${one.what}: ${said}${right ? '' : `, expected ${one.expected}`}`,
    );
    if (!right) console.log(JSON.stringify({ decision, entry }));
    rows.push({ ...hook, what: one.what, said, right });
  }
}

const addressOf = ({ repository, path }) => `https://github.com/${repository}/blob/${REPOSITORIES[repository]}/${path}`;
const linkOf = (hook) => `[${hook.path.split('/').at(-1)}](${addressOf(hook)}) | \`${REPOSITORIES[hook.repository].slice(0, 12)}\``;

const marked = (seen) => (seen === NOT_HONOURED ? 'none' : '✗');

/** What the real agents did with them in the last run. */
function agentsTable({ on, versions, rows: seen }) {
  const agents = Object.keys(versions);
  const lines = seen.map((row) => {
    const results = agents.map((agent) =>
      row.seen[agent] === true ? '✓' : row.seen[agent] === null ? '–' : row.seen[agent] === undefined ? '' : marked(row.seen[agent]),
    );
    return `| ${linkOf(row)} | ${row.event} | ${row.told}: **${row.effect}** | ${results.join(' | ')} |`;
  });
  return `## In the real agents

${seen.length} of them, each installed once for the user (a line in \`~/.config/piton/settings.json\`) and run unchanged in every one of these agents, driven by a scripted model. ✓: the same effect as in Claude Code,
seen in the files and in the model's own requests: what was denied was not done, context stood in a request, what a hook does beside it was there, and what nobody denied went through. –: a headless run of that agent does not fire the event. none: the agent takes no such answer there, whoever gives it ([agents](agents.md)). Empty: not run there, or not again since the script was mended. Nine of them stood beside each other in one session of each agent. Last run on ${on} by
\`node scripts/published-hooks.mjs <checkouts> --agents --write\`, by hand: the checkouts are not part of this repository, so CI does not repeat it. A checkout that is missing is a failure.

| hook | commit | event | effect | ${agents.map((agent) => `${agent} ${versions[agent]}`).join(' | ')} |
|---|---|---|---|${agents.map(() => '---').join('|')}|
${lines.join('\n')}
`;
}

function page() {
  const table = CASES.map((hook) => {
    const results = rows.filter(({ repository, path }) => repository === hook.repository && path === hook.path);
    const said = results.map(({ what, said: outcome }) => `${what}: **${outcome}**`).join('; ');
    return `| ${linkOf(hook)} | ${hook.event} | ${said} |`;
  });
  return `# Hooks that people published

${CASES.length} hooks written for Claude Code by other people, run unchanged by the engine of [@piton/hooks](../packages/hooks/README.md), each in an empty home and project. Their code is no part of this repository;
\`node scripts/published-hooks.mjs <checkouts>\` runs them again from a directory of checkouts, and \`--write\` writes this page.

| hook | commit | event | result |
|---|---|---|---|
${table.join('\n')}

Scripts that ask for \`uv\` in their first line were run by \`python3\`, as their authors' settings run others. \`CLAUDE_ENV_FILE\` and \`CLAUDE_PLUGIN_ROOT\` were set, as Claude Code does: a hook that Piton runs finds them, since it runs in the
agent's own environment. What is printed as plain text on a tool event is shown to nobody, here as in Claude Code.

${agentsTable(readSeen())}`;
}

if (process.argv.includes('--agents')) {
  const option = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  const seen = await playAgents(checkouts, option('story'), option('agent')?.split(','));
  wrong += seen.rows.flatMap((row) => Object.values(row.seen)).filter((one) => one !== true && one !== null && one !== NOT_HONOURED).length;
  if (write) writeFileSync(SEEN_FILE, `${JSON.stringify(seen, null, 2)}\n`);
}
console.log(`${CASES.length} hooks, ${rows.length} runs, ${wrong} wrong`);
if (write && !agentsOnly && rows.every(({ right }) => right)) writeFileSync(join(ROOT, 'docs', 'published-hooks.md'), page());
process.exitCode = wrong === 0 ? 0 : 1;
