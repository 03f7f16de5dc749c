import type { Materializer } from '@piton/contracts';
import { hooksFileDialect } from '../shared/hooks-file/hooks-file.ts';
import { entriesMaterializer } from '../shared/materialize/entries.ts';
import { rootBy } from '../shared/materialize/folder.ts';
import { toolsIn } from '../shared/materialize/tools.ts';
import { encode, noop } from './encode.ts';
import { registeredEvents } from './events.ts';
import { userFile } from './install.ts';
import { TOOLS } from './tools.ts';

/** Its other spelling has Claude Code's names: they never come with the events that are registered here. */
const OWN = Object.fromEntries(Object.entries(TOOLS).filter(([name]) => !/^[A-Z]/.test(name)));
/** Beside the file of `piton init`, which it must not change. */
const FILE = 'hooks/piton-hooks.json';

export const materializer: Materializer = entriesMaterializer({
  facts: {
    agent: 'copilot',
    title: 'GitHub Copilot CLI',
    events: registeredEvents([]),
    tools: {
      tools: toolsIn(OWN, { apply_patch: ['Write'] }),
      mcp: (server, tool) => (server === '.+' ? `[^-/]+[-/]${tool}` : `${server}[-/]${tool}`),
    },
    encode,
    noop,
    failures: 'apart',
    notes: {
      stop: 'it fires for subagents too',
      user_prompt_submit: 'it also fires for the task of a subagent and after a refused stop',
      post_shell_execution: 'a command that ends with an error counts as a success here',
    },
    // Alone of all it denies where a hook crashes.
    quietCrash: true,
  },
  dialect: hooksFileDialect({ agent: 'copilot', handler: { type: 'command' }, line: 'bash', timeout: 'timeoutSec' }),
  file: ({ scope, env }) => (scope === 'project' ? { path: `.github/${FILE}`, label: `.github/${FILE}` } : userFile(FILE, env)),
  directory: ({ scope, env }) => (scope === 'project' ? '.github' : userFile(FILE, env).path.replace(`/${FILE}`, '')),
  root: rootBy('CLAUDE_PROJECT_DIR'),
  activation: (scope) =>
    scope === 'project' ? 'Copilot CLI runs hooks of a repository in trusted folders only: start copilot there and trust it' : null,
});
