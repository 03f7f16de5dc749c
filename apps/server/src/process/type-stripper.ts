// Lets a module host import TypeScript where Node itself cannot strip types (before 22.18). Loaded by `module-host.mjs`
// when it meets the first such module: once on its own thread to register, once more by Node as the loader itself.
import { readFile } from 'node:fs/promises';
import { type LoadHook, register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from 'sucrase';

const TYPED = /\.([cm]?)ts$/;

/** Types go, lines stay where they are; syntax that Node cannot run without types (decorators) is an error here as there. */
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
