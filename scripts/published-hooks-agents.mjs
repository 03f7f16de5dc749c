// Runs published hooks in the real agents of the test bed: the same file, installed once for the user, in each of them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importTypeScript } from './import-typescript.mjs';
import { STORIES, turnsOf } from './published-hooks-stories.mjs';
import { ROOT } from './sources.mjs';

const CLI = join(ROOT, 'dist', 'cli.mjs');
/** @returns what was seen: `{ on, versions, rows: [{ repository, path, event, told, effect, seen: { agent: true, what was wrong, or null without the event } }] }` */
export async function playAgents(checkouts, only = '', agents = []) {
  const bed = (name) => importTypeScript(`packages/testing/src/bed/${name}.ts`, { inPlace: true });
  const [{ createWorkspace }, { DRIVERS }, { runAgent }] = [await bed('workspace'), await bed('drivers'), await bed('run-agent')];
  if (!existsSync(CLI)) throw new Error(`${CLI} is not built: run npm run build`);
  const { AGENTS } = await importTypeScript('packages/agents/src/index.ts', { inPlace: true });
  const drivers = DRIVERS.filter(({ pinned }) => agents.length === 0 || agents.includes(pinned.id));
  const before = readSeen();
  const chosen = STORIES.filter(({ path, session }) => path.includes(only) || session === only);
  const rows = chosen.map(({ repository, path, event, told, effect }) => {
    const earlier = before.rows.find((row) => row.path === path)?.seen;
    return { repository, path, event, told, effect, seen: { ...earlier } };
  });
  for (const driver of drivers) {
    const { id } = driver.pinned;
    const heard = chosen.filter((story) => fires(story.event, driver, AGENTS) && honours(story, driver, AGENTS));
    for (const [at, story] of chosen.entries())
      if (!heard.includes(story)) rows[at].seen[id] = honours(story, driver, AGENTS) ? null : NOT_HONOURED;
    for (const session of new Set(heard.map((story) => story.session ?? story.path))) {
      const stories = heard.filter((story) => (story.session ?? story.path) === session);
      const wrongs = await runStories(stories, driver, { createWorkspace, runAgent, checkouts });
      for (const [at, story] of stories.entries()) {
        const wrong = wrongs[at];
        rows[chosen.indexOf(story)].seen[id] = wrong ?? true;
        console.log(
          `${wrong === undefined ? 'ok   ' : 'WRONG'} ${id} ${story.path}: ${story.told}${wrong === undefined ? '' : `: ${wrong}`}`,
        );
      }
    }
  }
  const versions = Object.fromEntries(DRIVERS.map(({ pinned }) => [pinned.id, pinned.version]));
  const others = before.rows.filter(({ path }) => !rows.some((row) => row.path === path));
  return { on: new Date().toISOString().slice(0, 10), versions, rows: inOrder([...others, ...rows]) };
}

/** Does the event reach hooks in a headless run of this agent? */
const fires = (event, { pinned, unprovoked }, agents) =>
  agents.find(({ id }) => id === pinned.id)?.events.some((native) => native.event === event) === true && unprovoked?.[event] === undefined;

/** What the page of agents says of it: the agent takes no such answer there, whoever gives it. */
export const NOT_HONOURED = 'not honoured';
const honours = ({ event, effect }, { pinned }, agents) =>
  effect === 'observe' || (agents.find(({ id }) => id === pinned.id)?.capabilities[event]?.[effect]?.how ?? 'none') !== 'none';

const inOrder = (rows) => STORIES.flatMap(({ path }) => rows.filter((row) => row.path === path));

const step = (...args) => ({ name: args.join(' '), argv: [process.execPath, CLI, ...args], env: { PITON_ALLOW_UNDER_AGENT: '1' } });

/** Those of one session stand beside each other in the settings of the user; each has its own turns, and what came of them. */
async function runStories(stories, driver, { createWorkspace, runAgent, checkouts }) {
  const fileOf = ({ repository, path }) => join(checkouts, repository.replace('/', '__'), path);
  const all = (why) => stories.map(() => why);
  const missing = stories.map(fileOf).find((file) => !existsSync(file));
  if (missing !== undefined) return all(`${missing} is not there`);
  const workspace = createWorkspace();
  try {
    driver.prepare(workspace);
    for (const story of stories)
      for (const [name, text] of Object.entries(story.files ?? {})) workspace.write(join(workspace.repo, name), text);
    const hooks = stories.map((story) => {
      const file = fileOf(story);
      // A plugin's commands have its root in their environment, and these are of several.
      const root = `CLAUDE_PLUGIN_ROOT='${dirname(dirname(file))}'`;
      const { matcher } = story;
      return {
        name: story.path,
        event: story.event,
        ...(matcher && { matcher }),
        command: `${root} ${story.run} '${file}' ${story.args ?? ''}`.trim(),
      };
    });
    workspace.write(join(workspace.home, '.config/piton/settings.json'), { hooks });
    const env = { CLAUDE_ENV_FILE: join(workspace.home, 'env') };
    const parts = stories.map((story) => turnsOf(story, driver.tools, workspace.repo));
    const script = [{ name: 'main', turns: [...parts.flat(), { text: 'Finished.' }] }];
    const before = [step('init', '--agent', driver.pinned.id, '--yes')];
    const prompt = stories.find((story) => story.prompt)?.prompt;
    const facts = await runAgent(driver, workspace, { script, env, before, ...(prompt && { prompt }), limitMs: 240_000 });
    const setUp = facts.step(before[0].name);
    if (setUp.exit !== 0) return all(`init ended with ${setUp.exit}: ${setUp.stderr}`);
    const git = (...args) =>
      execFileSync('git', args, { cwd: workspace.repo, env: { PATH: process.env.PATH, HOME: workspace.home }, encoding: 'utf8' });
    const look = { read: (name) => workspace.read(join(workspace.repo, name)), git };
    let at = 0;
    return stories.map((story, index) => {
      const own = facts.toolResults.slice(at, at + parts[index].length);
      at += parts[index].length;
      if (story.so({ ...facts, toolResults: own }, look)) return undefined;
      return `exit ${facts.exit}; appeared ${facts.appeared}; tool results ${JSON.stringify(own.map(({ text }) => text.slice(0, 300)))}`;
    });
  } catch (error) {
    return all(error.message);
  } finally {
    workspace.remove();
  }
}

/** What the last run of all of them has shown. The page is generated from it. */
export const SEEN_FILE = join(ROOT, 'scripts', 'published-hooks-seen.json');
export const readSeen = () => JSON.parse(readFileSync(SEEN_FILE, 'utf8'));
