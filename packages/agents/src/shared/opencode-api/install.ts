import type { Installer } from '@piton/contracts';
import { pluginInstaller } from '../plugin-file.ts';
import { EVENTS } from './events.ts';

/** One file in the agent's own `plugins/`: `~/.config/<agent>/` or `.<agent>/` in a repository. */
export const installerFor = (agent: string, title: string): Installer =>
  pluginInstaller({
    agent,
    title,
    events: EVENTS,
    configFiles(scope, env) {
      if (scope === 'project') return [{ path: `.${agent}/plugins/piton.js`, label: `.${agent}/plugins/piton.js` }];
      const moved = env.XDG_CONFIG_HOME;
      if (!moved) return [{ path: `.config/${agent}/plugins/piton.js`, label: `~/.config/${agent}/plugins/piton.js` }];
      const path = `${moved.replace(/\/+$/, '')}/${agent}/plugins/piton.js`;
      return [{ path, label: path }];
    },
    exported: (body) => `export const Piton = async (host) => ${body};`,
  });
