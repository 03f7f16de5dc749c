import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { compileBody } from './compiled-code.ts';

/** By then it has started and, if an event started it, answered that: the functions of both are in the code. */
const STARTED_MS = 2000;

/** How the forwarder starts a server; its threads have the same. A server that was started by hand keeps no code: who knows with what. */
const FLAGS = '--no-global-search-paths';

/** Longer than the first turn takes, and than most servers of tests live. */
const SMALL_AFTER_MS = 30_000;
const SMALL = 'piton: heaps are kept small';

/**
 * A process that runs all day must not keep the memory of one burst. By default V8 lets a heap grow to four times its live size before
 * it collects, and a nursery to sixteen megabytes and more. Not from the start: V8 takes compiled code of the same flags only, and that
 * of Node's own modules is of none, so that a server and its threads would compile those anew (0135). A Node without one of these flags
 * only warns.
 */
export function keepHeapsSmall(): void {
  const set = (): void => {
    setFlagsFromString('--heap-growing-percent=50');
    setFlagsFromString('--semi-space-growth-factor=1');
    setEnvironmentData(SMALL, true);
  };
  setTimeout(set, SMALL_AFTER_MS).unref();
}

/**
 * Runs the bundle `<name>` in the place of the program `module`, for a process or a thread that stays. The first one of a version
 * keeps its compiled code for those after it; a thread that starts when heaps are kept small has code of its own.
 */
export function runResident(module: NodeJS.Module, require: NodeJS.Require, name: string): void {
  const directory = dirname(module.filename);
  const code = getEnvironmentData(SMALL) === true ? `${name}-small` : name;
  const { body, fromCode, save } = compileBody(join(directory, 'bundles', `${name}.js`), directory, code);
  if (!fromCode && process.execArgv.join(' ') === FLAGS) setTimeout(save, STARTED_MS).unref();
  body.call(module.exports, module.exports, require, module, module.filename, directory);
}
