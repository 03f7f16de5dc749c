// Parses a file once, for all rules.
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** A relative specifier as a path from the root. */
export const resolveRelative = (from, specifier) => join(from, '..', specifier);

/** `fs/promises` → `fs`, `@scope/lib/deep` → `@scope/lib`. */
export const packageNameOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

export function readSource(path, text) {
  const { program, module, errors } = parseSync(path, text);
  return { path, text, program, module, errors, imports: importsOf(program, module) };
}

export const lineOf = (text, at) => text.slice(0, at).split('\n').length;

/** Every module that a file imports, types included, with its position. */
function importsOf(program, module) {
  const found = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    const isType = entries.length > 0 && entries.every((entry) => entry.isType);
    found.push({ specifier: moduleRequest.value, at: moduleRequest.start, isType });
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) found.push({ specifier: moduleRequest.value, at: moduleRequest.start });
  }
  new Visitor({
    ImportExpression: ({ source, start }) => void (source.type === 'Literal' && found.push({ specifier: source.value, at: start })),
    TSImportType: ({ source, start }) => void (source?.type === 'Literal' && found.push({ specifier: source.value, at: start })),
    CallExpression: ({ callee, arguments: [first], start }) =>
      void (
        callee.type === 'Identifier' &&
        callee.name === 'require' &&
        first?.type === 'Literal' &&
        found.push({ specifier: first.value, at: start })
      ),
  }).visit(program);
  return found;
}
