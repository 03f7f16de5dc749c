import { readdirSync } from 'node:fs';
import { Module } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { compileBody } from './compiled-code.ts';

/** The folder of a program that is split: what several commands share, and each command, loaded when it is called. */
const CHUNKS = 'cli';
const ENTRY = 'cli';

/** Imports name a chunk as the ES module that it was before the build made it a function. */
const nameOf = (specifier: string): string => basename(specifier, '.mjs');

/** The program in `directory`, chunk by chunk from compiled code. */
export function openChunks(directory: string, require: NodeJS.Require) {
  const saves: (() => void)[] = [];

  function run(name: string, module: Module): unknown {
    const { body, fromCode, save } = compileBody(module.id, directory, join(CHUNKS, name));
    if (!fromCode) saves.push(save);
    const requireHere = (id: string): unknown => (id.startsWith('.') ? load(nameOf(id)) : require(id));
    body.call(module.exports, module.exports, Object.assign(requireHere, require), module, module.id, dirname(module.id));
    return module.exports;
  }

  /** Once in a process: Node's cache has it, also for a process that starts the program again. */
  function load(name: string): unknown {
    const module = new Module(join(directory, CHUNKS, `${name}.js`));
    const cached = require.cache[module.id];
    if (cached !== undefined) return cached.exports;
    require.cache[module.id] = module;
    return run(name, module);
  }

  return {
    start: (): unknown => run(ENTRY, new Module(join(directory, CHUNKS, `${ENTRY}.js`))),
    /** Loads every chunk but the entry, which would start the program, and keeps the code of all that have none. */
    keepCode(): void {
      const names = readdirSync(join(directory, CHUNKS)).map((each) => basename(each, '.js'));
      for (const name of names.filter((each) => each !== ENTRY)) load(name);
      for (const save of saves) save();
    },
  };
}
