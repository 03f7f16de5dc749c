import type { ConfigFile, Installer } from '@piton/contracts';
import { hooksFileInstaller } from '../shared/hooks-file/hooks-file.ts';
import { registeredEvents } from './events.ts';

type Environment = Parameters<Installer['configFiles']>[1];

/** A file in Copilot CLI's own directory; relative to the home directory unless a variable moved it. */
export function userFile(name: string, env: Environment): ConfigFile {
  const moved = env.COPILOT_HOME?.replace(/[\\/]+$/, '');
  return moved ? { path: `${moved}/${name}`, label: `${moved}/${name}` } : { path: `.copilot/${name}`, label: `~/.copilot/${name}` };
}

const FILE = 'hooks/piton.json';

export const installer: Installer = {
  ...hooksFileInstaller({ agent: 'copilot', handler: { type: 'command' }, line: 'bash', timeout: 'timeoutSec', events: registeredEvents }),
  configFiles: (scope, env) => (scope === 'project' ? [{ path: `.github/${FILE}`, label: `.github/${FILE}` }] : [userFile(FILE, env)]),
};
