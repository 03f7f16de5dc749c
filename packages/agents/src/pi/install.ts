import type { ConfigFile, Installer } from '@piton/contracts';
import { pluginInstaller } from '../shared/plugin-file.ts';
import { EVENTS } from './events.ts';

/** A file of the person's own pi. */
export function agentFile(name: string, env: Readonly<Record<string, string | undefined>>): ConfigFile {
  const moved = env.PI_CODING_AGENT_DIR;
  if (!moved) return { path: `.pi/agent/${name}`, label: `~/.pi/agent/${name}` };
  const path = `${moved.replace(/\/+$/, '')}/${name}`;
  return { path, label: path };
}

/** One file among pi's extensions. */
export const installer: Installer = pluginInstaller({
  agent: 'pi',
  title: 'pi',
  events: EVENTS,
  configFiles(scope, env) {
    if (scope === 'project') return [{ path: '.pi/extensions/piton.js', label: '.pi/extensions/piton.js' }];
    return [agentFile('extensions/piton.js', env)];
  },
  exported: (body) => `export default async (host) => ${body};`,
});
