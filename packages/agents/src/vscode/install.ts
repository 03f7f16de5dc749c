import type { Installer } from '@piton/contracts';
import { hooksFileInstaller } from '../shared/hooks-file/hooks-file.ts';
import { EVENTS } from './events.ts';

const FILE = 'hooks/piton-vscode.json';

export const installer: Installer = {
  ...hooksFileInstaller({ agent: 'vscode', handler: { type: 'command' }, line: 'command', timeout: 'timeout', events: () => EVENTS }),
  configFiles: (scope) =>
    scope === 'project'
      ? [{ path: `.github/${FILE}`, label: `.github/${FILE}` }]
      : [{ path: `.copilot/${FILE}`, label: `~/.copilot/${FILE}` }],
};
