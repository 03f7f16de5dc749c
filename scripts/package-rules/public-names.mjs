// A name that two packages export is ambiguous in an import.
import { packageNameOf, resolveRelative } from './syntax.mjs';

/** What an entry exports, except re-exports of our other packages: those have one definition. */
function exportedBy(path, sources, seen = new Set()) {
  const source = sources[path];
  if (!source || seen.has(path)) return [];
  seen.add(path);
  return source.module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, moduleRequest }) => {
      const from = moduleRequest?.value;
      if (from !== undefined && !from.startsWith('.')) return [];
      if (exportName.kind === 'None') return from === undefined ? [] : exportedBy(resolveRelative(path, from), sources, seen);
      return exportName.name === null || exportName.name === undefined ? [] : [exportName.name];
    }),
  );
}

const entriesOf = (owner, { exports = {} }) =>
  Object.values(exports)
    .filter((target) => typeof target === 'string' && target.endsWith('.ts'))
    .map((target) => resolveRelative(`${owner}/package.json`, target));

export function publicNames(sources, manifests) {
  return Object.fromEntries(
    Object.entries(manifests).map(([owner, manifest]) => [
      owner,
      [...new Set(entriesOf(owner, manifest).flatMap((entry) => exportedBy(entry, sources)))],
    ]),
  );
}

export function doubledNames(sources, manifests) {
  const owners = new Map();
  for (const [owner, names] of Object.entries(publicNames(sources, manifests))) {
    for (const name of names) owners.set(name, [...(owners.get(name) ?? []), owner]);
  }
  return [...owners]
    .filter(([, of]) => of.length > 1)
    .map(([name, of]) => `${name} is exported by ${of.join(' and ')}: rename one of them`);
}

/** Dependencies among our packages that are declared but not imported: `dependencies` by product code, `devDependencies` by tests. */
export function unusedDependencies(sources, manifests, packageOf, isTest) {
  const used = new Set();
  for (const { path, imports } of Object.values(sources)) {
    for (const { specifier } of imports) used.add(`${packageOf(path)} ${isTest(path) ? 'test' : 'product'} ${packageNameOf(specifier)}`);
  }
  return Object.entries(manifests).flatMap(([owner, { dependencies = {}, devDependencies = {} }]) => [
    ...Object.keys(dependencies)
      .filter((name) => name.startsWith('@piton/') && !used.has(`${owner} product ${name}`))
      .map((name) => `${owner}/package.json declares ${name}, which no product code of it imports`),
    ...Object.keys(devDependencies)
      .filter((name) => name.startsWith('@piton/') && !used.has(`${owner} test ${name}`))
      .map((name) => `${owner}/package.json declares ${name} for development, which no test of it imports`),
  ]);
}
