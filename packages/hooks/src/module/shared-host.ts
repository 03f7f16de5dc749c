import { fileURLToPath } from 'node:url';
import { createModuleHosts, type ModuleHosts } from './hosts.ts';

let shared: ModuleHosts | undefined;

/** The hosts of this process, started with the first module. */
export function sharedHosts(): ModuleHosts {
  shared ??= createModuleHosts({ program: fileURLToPath(new URL('./module-host.mjs', import.meta.url)) });
  return shared;
}
