import { dirname } from 'node:path';
import type { Installed, InstallTarget } from '@piton/contracts';

const IN_LINE = /^set -- (.+?)[\\/]runtime[\\/]current[\\/]piton-forward/;

/** The Piton home that a registration points to, if it is another one: PITON_HOME may have been different then. */
export function otherHome({ command }: Installed, target: InstallTarget): string | undefined {
  if ('argv' in command) {
    const [forwarder = ''] = command.argv;
    return forwarder === target.forwarder ? undefined : dirname(dirname(dirname(forwarder)));
  }
  const below = target.forwarderBelowHome;
  if (command.shell.includes(target.forwarder) || (below !== null && command.shell.includes(below))) return undefined;
  return IN_LINE.exec(command.shell)?.[1]?.replaceAll(/["']/g, '');
}
