import { dirname, join } from 'node:path';
import { codeFileOf, compileBody } from './compiled-code.ts';

/** By then it has started and, if an event started it, answered that: the functions of both are in the code. */
const STARTED_MS = 2000;

/**
 * Runs the bundle `<name>` in the place of the program `module`, for a process or a thread that stays. The first one of a version
 * keeps its compiled code for those after it. Flags must be set before: V8 takes code of the same flags only.
 */
export function runResident(module: NodeJS.Module, require: NodeJS.Require, name: string): void {
  const directory = dirname(module.filename);
  const { body, fromCode, save } = compileBody(join(directory, 'bundles', `${name}.js`), codeFileOf(directory, name));
  if (!fromCode) setTimeout(save, STARTED_MS).unref();
  body.call(module.exports, module.exports, require, module, module.filename, directory);
}
