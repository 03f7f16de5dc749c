import type { Installer } from '@piton/contracts';
import { hooksFileInstaller } from '../shared/hooks-file/hooks-file.ts';
import { registeredEvents } from './events.ts';

const FILE = '.cursor/hooks.json';

export const installer: Installer = {
  ...hooksFileInstaller({ agent: 'cursor', handler: {}, line: 'command', timeout: 'timeout', events: registeredEvents }),
  configFiles: (scope) => [{ path: FILE, label: scope === 'project' ? FILE : `~/${FILE}` }],
};
