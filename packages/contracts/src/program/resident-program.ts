import { dirname, join } from 'node:path';
import { compileBody } from './compiled-code.ts';

/** By then it has started and, if an event started it, answered that: the functions of both are in the code. */
const STARTED_MS = 2000;

/** How the forwarder starts a server; its threads have the same. Code of any other start would be rejected by all of those. */
const FLAGS = '--max-semi-space-size=1';

/**
 * Runs the bundle `<name>` in the place of the program `module`, for a process or a thread that stays. The first one of a version
 * keeps its compiled code for those after it. Flags must be set before: V8 takes code of the same flags only.
 */
export function runResident(module: NodeJS.Module, require: NodeJS.Require, name: string): void {
  const directory = dirname(module.filename);
  const { body, fromCode, save } = compileBody(join(directory, 'bundles', `${name}.js`), directory, name);
  if (!fromCode && process.execArgv.join(' ') === FLAGS) setTimeout(save, STARTED_MS).unref();
  body.call(module.exports, module.exports, require, module, module.filename, directory);
}
