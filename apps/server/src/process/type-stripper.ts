// Lets a module host import TypeScript where Node itself cannot strip types (before 22.18). Loaded by `module-host.mjs`
// for the first such module: once on its own thread to register, and once by Node as the loader.
import { readFile } from 'node:fs/promises';
import { type LoadHook, register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from 'sucrase';

const TYPED = /\.([cm]?)ts$/;

/** Strips types and keeps line numbers. Syntax that Node cannot strip (decorators) is an error here too. */
export const load: LoadHook = async (url, context, next) => {
  const typed = url.startsWith('file:') ? TYPED.exec(url) : null;
  if (typed === null) return next(url, context);
  const path = fileURLToPath(url);
  const { code } = transform(await readFile(path, 'utf8'), {
    transforms: ['typescript', ...(typed[1] === 'c' ? (['imports'] as const) : [])],
    disableESTransforms: true,
    filePath: path,
  });
  return { format: typed[1] === 'c' ? 'commonjs' : 'module', source: code, shortCircuit: true };
};

if (isMainThread) register(import.meta.url);
