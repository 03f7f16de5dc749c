import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import type { HookText, Reference, Surroundings } from './reference.ts';

const LITERAL = /(?:\bfrom|\bimport|\brequire(?:\.resolve)?\s*\(|\bimport\s*\()\s*(["'`])([^"'`\n]+)\1/g;
/** `import(…)` and `require(…)` of something that is no plain text. */
const COMPUTED = /(?:\bimport|\brequire)\s*\(\s*(?:[^"'`\s)]|`[^`]*\$\{|["'][^"'\n]*["']\s*\+)[^)\n]{0,60}/g;
const BUILTINS = new Set(builtinModules);
const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '.node', '/index.js', '/index.mjs', '/index.ts'];

/** What a module imports and its trusted copy does not hold. */
export function importsOf({ path, text }: HookText, { root, copied, exists }: Surroundings): Reference[] {
  const found: Reference[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (/^\s*(?:\/\/|\*)/.test(line)) continue;
    const add = (name: string, why: Reference['why']): void => {
      if (!found.some((known) => known.name === name)) found.push({ name, file: path, line: at + 1, why });
    };
    for (const [, , specifier = ''] of line.matchAll(LITERAL)) importOf(specifier, add);
    for (const [written] of line.matchAll(COMPUTED)) add(`${written.trim()}…`, 'computed');
  }
  return found;

  function importOf(specifier: string, add: (name: string, why: Reference['why']) => void): void {
    if (specifier.includes('${')) return;
    if (specifier.startsWith('.')) {
      const target = posix.join(posix.dirname(path), specifier);
      if (!ENDINGS.some((ending) => copied.has(`${target}${ending}`))) add(specifier, 'missing');
    } else if (/^(?:file:\/\/)?\//.test(specifier)) {
      const target = posix.resolve(specifier.replace(/^file:\/\//, ''));
      if (target.startsWith(`${root}/`) && exists(target)) add(posix.relative(root, target), 'file');
    } else if (!specifier.startsWith('node:') && !BUILTINS.has(specifier) && !/^(?:data|https?):/.test(specifier)) {
      // `#name` is of a package.json, which is in the copy or not there at all.
      if (!specifier.startsWith('#')) add(specifier, 'package');
    }
  }
}
