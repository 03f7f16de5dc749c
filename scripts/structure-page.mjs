// Writes docs/structure.md, the structure of the code by its imports. With --check it only reports whether it is stale.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { settle } from './generated.mjs';
import { filesPerFolder } from './package-rules/folders.mjs';
import { publicNames } from './package-rules/public-names.mjs';
import { packageNameOf, readSource } from './package-rules/syntax.mjs';
import { walksOf } from './package-rules/walks.mjs';
import { isProductCode, packageOf, readWorkspace } from './package-rules.mjs';
import { ROOT } from './sources.mjs';

/** From here on somebody should ask which two ideas live in a file, or in a folder. */
const LARGE_FILE = 250;
const FULL_FOLDER = 20;
/** Counts are given as the step that they have reached, so that two people who add a file do not both change the page. */
const STEPS = [1, 2, 5];

const linesIn = (text) => text.split('\n').length - 1;
function atLeast(count) {
  if (count === 0) return '0';
  const power = 10 ** Math.floor(Math.log10(count));
  return `${(STEPS.findLast((step) => step * power <= count) * power).toLocaleString('en')}+`;
}
const nodeOf = (owner) => owner.replace(/^(?:packages|apps)\//, '').replaceAll('-', '_');

/** importer → imported → number of imports. */
function edgesOf(sources, manifests) {
  const ownerOf = new Map(Object.entries(manifests).map(([owner, { name }]) => [name, owner]));
  const edges = new Map();
  for (const { path, imports } of sources) {
    for (const { specifier } of imports) {
      const [from, to] = [packageOf(path), ownerOf.get(packageNameOf(specifier))];
      if (to === undefined || from === to) continue;
      if (!edges.has(from)) edges.set(from, new Map());
      edges.get(from).set(to, (edges.get(from).get(to) ?? 0) + 1);
    }
  }
  return edges;
}

/** Packages without imports first. */
function byHeight(owners, edges) {
  const height = (owner, seen = []) =>
    seen.includes(owner) ? 0 : 1 + Math.max(0, ...[...(edges.get(owner)?.keys() ?? [])].map((each) => height(each, [...seen, owner])));
  return [...owners].sort((a, b) => height(a) - height(b) || a.localeCompare(b));
}

function drawing(owners, edges) {
  const lines = owners.flatMap((from) =>
    [...(edges.get(from) ?? [])]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([to, count]) => `  ${nodeOf(from)} -- ${atLeast(count)} --> ${nodeOf(to)}`),
  );
  return ['```mermaid', 'flowchart TB', ...owners.map((owner) => `  ${nodeOf(owner)}["${owner}"]`), ...lines, '```'].join('\n');
}

const table = (head, rows) =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const list = (paths) =>
  paths
    .toSorted()
    .map((path) => `- \`${path}\``)
    .join('\n');

export function structurePage({ files, manifests }, architecture, exists) {
  const sources = Object.keys(files)
    .filter(isProductCode)
    .map((path) => readSource(path, files[path]));
  const edges = edgesOf(sources, manifests);
  const owners = byHeight(
    Object.keys(manifests).filter((owner) => sources.some(({ path }) => packageOf(path) === owner)),
    edges,
  );
  const names = publicNames(Object.fromEntries(sources.map((source) => [source.path, source])), manifests);
  const users = (owner) => [...edges.values()].filter((to) => to.has(owner)).length;
  const large = sources.filter(({ text }) => linesIn(text) >= LARGE_FILE).map(({ path }) => path);
  const full = [...filesPerFolder(sources.map(({ path }) => path))].filter(([, count]) => count >= FULL_FOLDER).map(([folder]) => folder);
  const rows = owners.map((owner) => {
    const own = sources.filter(({ path }) => packageOf(path) === owner);
    const lines = own.reduce((sum, { text }) => sum + linesIn(text), 0);
    return [`\`${owner}\``, atLeast(own.length), atLeast(lines), atLeast(names[owner].length), edges.get(owner)?.size ?? 0, users(owner)];
  });
  return `# The structure

Made from the imports by \`npm run pages\`; a check fails when it is stale. What each package is for, and which rules hold: [ARCHITECTURE.md](../ARCHITECTURE.md).
The C of \`apps/forwarder\`, tests and scripts are not counted.

## Packages

${drawing(owners, edges)}

The number is the number of imports: \`20+\` are 20 to 49. Packages that import none come first:

${table(['package', 'files', 'lines', 'exported names', 'knows', 'known by'], rows)}

## Files of ${LARGE_FILE} lines or more

${list(large)}

## Folders of ${FULL_FOLDER} files or more

${list(full)}

## The walks

${walkTable(walksOf(architecture, exists))}
`;
}

/** A crossing is an import from another package. */
function walkTable(walks) {
  const rows = walks.map(({ title, paths }) => {
    const crossings = paths.filter((path, at) => at > 0 && packageOf(path) !== packageOf(paths[at - 1])).length;
    return [`${title}`, new Set(paths).size, crossings];
  });
  return `Step by step in [ARCHITECTURE.md](../ARCHITECTURE.md); a check fails when one names a file that is not there.\n\n${table(['walk', 'files', 'crossings'], rows)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const architecture = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  settle(
    [{ path: 'docs/structure.md', text: structurePage(readWorkspace(), architecture, (path) => existsSync(join(ROOT, path))) }],
    [],
    'npm run pages',
  );
}
