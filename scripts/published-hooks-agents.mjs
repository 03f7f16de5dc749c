// Runs published hooks in the real agents of the test bed: the same file, installed once for the user, in each of them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importTypeScript } from './import-typescript.mjs';
import { STORIES, turnsOf } from './published-hooks-stories.mjs';
import { ROOT } from './sources.mjs';

const CLI = join(ROOT, 'dist', 'cli.mjs');
/** The others are compared with Claude Code, for which they were written. */
const AGENT_IDS = ['claude', 'codex', 'gemini', 'copilot', 'opencode'];

/** @returns what was seen: `{ on, versions, rows: [{ repository, path, event, told, effect, seen: { agent: true or what was wrong } }] }` */
export async function playAgents(checkouts, only = '') {
  const bed = (name) => importTypeScript(`packages/testing/src/bed/${name}.ts`, { inPlace: true });
  const [{ createWorkspace }, { DRIVERS }, { runAgent }] = [await bed('workspace'), await bed('drivers'), await bed('run-agent')];
  if (!existsSync(CLI)) throw new Error(`${CLI} is not built: run npm run build`);
  const drivers = AGENT_IDS.map((id) => DRIVERS.find(({ pinned }) => pinned.id === id));
  const rows = [];
  for (const story of STORIES.filter(({ path }) => path.includes(only))) {
    const seen = {};
    for (const driver of drivers) {
      const wrong = await runStory(story, driver, { createWorkspace, runAgent, checkouts });
      seen[driver.pinned.id] = wrong ?? true;
      console.log(
        `${wrong === undefined ? 'ok   ' : 'WRONG'} ${driver.pinned.id} ${story.path}: ${story.told}${wrong === undefined ? '' : `: ${wrong}`}`,
      );
    }
    const { repository, path, event, told, effect } = story;
    rows.push({ repository, path, event, told, effect, seen });
  }
  const versions = Object.fromEntries(drivers.map(({ pinned }) => [pinned.id, pinned.version]));
  const others = only === '' ? [] : readSeen().rows.filter(({ path }) => !path.includes(only));
  return { on: new Date().toISOString().slice(0, 10), versions, rows: inOrder([...others, ...rows]) };
}

const inOrder = (rows) => STORIES.flatMap(({ path }) => rows.filter((row) => row.path === path));

const step = (...args) => ({ name: args.join(' '), argv: [process.execPath, CLI, ...args], env: { PITON_ALLOW_UNDER_AGENT: '1' } });

async function runStory(story, driver, { createWorkspace, runAgent, checkouts }) {
  const file = join(checkouts, story.repository.replace('/', '__'), story.path);
  if (!existsSync(file)) return `${file} is not there`;
  const workspace = createWorkspace();
  try {
    driver.prepare(workspace);
    for (const [name, text] of Object.entries(story.files ?? {})) workspace.write(join(workspace.repo, name), text);
    const command = `${story.run} '${file}' ${story.args ?? ''}`.trim();
    workspace.write(join(workspace.home, '.config/piton/settings.json'), { hooks: [{ name: 'published', event: story.event, command }] });
    const env = { CLAUDE_PLUGIN_ROOT: dirname(dirname(file)), CLAUDE_ENV_FILE: join(workspace.home, 'env') };
    const script = [{ name: 'main', turns: turnsOf(story, driver.tools, workspace.repo) }];
    const before = [step('init', '--agent', driver.pinned.id, '--yes')];
    const after = [step('events', '--json', '--limit', '200')];
    const facts = await runAgent(driver, workspace, { script, env, before, after, limitMs: 240_000 });
    const setUp = facts.step(before[0].name);
    if (setUp.exit !== 0) return `init ended with ${setUp.exit}: ${setUp.stderr}`;
    const git = (...args) =>
      execFileSync('git', args, { cwd: workspace.repo, env: { PATH: process.env.PATH, HOME: workspace.home }, encoding: 'utf8' });
    const look = { read: (name) => workspace.read(join(workspace.repo, name)), git };
    if (story.so(facts, look)) return undefined;
    return `exit ${facts.exit}; appeared ${facts.appeared}; tool results ${JSON.stringify(facts.toolResults.map(({ text }) => text.slice(0, 300)))}`;
  } catch (error) {
    return error.message;
  } finally {
    workspace.remove();
  }
}

/** What the last run of all of them has shown. The page is generated from it. */
export const SEEN_FILE = join(ROOT, 'scripts', 'published-hooks-seen.json');
export const readSeen = () => JSON.parse(readFileSync(SEEN_FILE, 'utf8'));
