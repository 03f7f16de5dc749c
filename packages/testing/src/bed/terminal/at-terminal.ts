import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentDriver, OnTerminal } from '../driver.ts';
import type { Workspace } from '../workspace.ts';

const PERSON = fileURLToPath(new URL('./person.mjs', import.meta.url));

/** A person who starts the agent on a terminal, types the prompt, and ends the agent once the screen shows `until`. */
export function atTerminal(driver: AgentDriver, terminal: OnTerminal, workspace: Workspace, until: string): AgentDriver {
  const { begin, ready } = terminal;
  return {
    ...driver,
    command(prompt) {
      const steps = [...begin, { until: ready, type: prompt, keys: ['Enter'] }, { until }];
      return [process.execPath, PERSON, join(workspace.root, 'tmux'), JSON.stringify(steps), ...terminal.command()];
    },
  };
}
