import type { ConfigFile, Installer } from '@piton/contracts';
import { pluginInstaller } from '../shared/plugin-file.ts';
import { EVENTS } from './events.ts';

/** A file of the person's own oh-my-pi. */
export function agentFile(name: string, env: Readonly<Record<string, string | undefined>>): ConfigFile {
  const moved = env.PI_CODING_AGENT_DIR;
  if (!moved) return { path: `.omp/agent/${name}`, label: `~/.omp/agent/${name}` };
  const path = `${moved.replace(/\/+$/, '')}/${name}`;
  return { path, label: path };
}

/** One file among its extensions. pi reads the same variable, so the file has another name than that for pi. */
export const installer: Installer = pluginInstaller({
  agent: 'omp',
  title: 'oh-my-pi',
  events: EVENTS,
  configFiles(scope, env) {
    if (scope === 'project') return [{ path: '.omp/extensions/piton-omp.js', label: '.omp/extensions/piton-omp.js' }];
    return [agentFile('extensions/piton-omp.js', env)];
  },
  exported: (body) => `export default async (host) => ${body};`,
});
