// Which package may import which. The rules are the data below; ARCHITECTURE.md has the reasons.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Visitor } from 'oxc-parser';
import { importTypeScript } from './import-typescript.mjs';
import { fullFolders } from './package-rules/folders.mjs';
import { artifactGitProblem, gitStarts, shellGitProblem } from './package-rules/git-starts.mjs';
import { cStarts, lostStarts, programStarts } from './package-rules/program-starts.mjs';
import { doubledNames, unusedDependencies } from './package-rules/public-names.mjs';
import { retiredWords } from './package-rules/retired-words.mjs';
import { lineOf, packageNameOf, readSource, resolveRelative } from './package-rules/syntax.mjs';
import { textAsMarkup } from './package-rules/text-as-markup.mjs';
import { lostPaths } from './package-rules/walks.mjs';
import { filesBelow, ROOT } from './sources.mjs';

/** `ours`: the packages it may import. `builtins`: which of Node's modules, default all, except `node:child_process`: that is `starts`. `typesOnly`: those of which only types. */
export const PACKAGES = {
  'packages/contracts': { ours: [] },
  'packages/hooks': { ours: ['contracts', 'shell'], starts: true },
  'packages/agents': { ours: ['contracts'], builtins: ['node:crypto', 'node:path'] },
  'packages/redact': { ours: ['contracts'] },
  'packages/prices': { ours: ['contracts'], builtins: [] },
  'packages/artifacts': { ours: ['contracts', 'shell'], builtins: [] },
  'packages/store': { ours: ['contracts', 'redact'] },
  'packages/git': { ours: ['contracts'], starts: true },
  'packages/shell': { ours: [], builtins: ['node:path'] },
  'packages/checkpoints': { ours: ['contracts', 'git', 'shell'] },
  'packages/context': { ours: ['contracts', 'shell', 'store'], builtins: ['node:crypto', 'node:path'] },
  'packages/testing': { ours: ['contracts'], starts: true },
  'packages/lifecycle': { ours: ['contracts', 'hooks', 'artifacts', 'shell'], builtins: ['node:crypto', 'node:path'] },
  'apps/client': { ours: ['contracts', 'hooks', 'agents', 'lifecycle', 'checkpoints'], starts: true },
  'apps/server': { ours: ['contracts', 'hooks', 'agents', 'lifecycle', 'store', 'redact', 'git', 'checkpoints', 'context'] },
  'apps/cli': {
    ours: [
      'contracts',
      'hooks',
      'agents',
      'lifecycle',
      'artifacts',
      'store',
      'redact',
      'git',
      'checkpoints',
      'context',
      'prices',
      'client',
      'team',
    ],
    starts: true,
    // Its program is loaded by who serves a team, and by nobody else.
    typesOnly: ['team'],
  },
  'apps/team': { ours: ['contracts', 'store'], builtins: ['node:crypto', 'node:http', 'node:net', 'node:util', 'node:zlib'] },
  // It runs in a browser: nothing of Node, and of ours only types.
  'apps/dashboard': { ours: ['contracts'], builtins: [] },
  'hooks-library': { ours: ['git', 'redact', 'shell'], starts: true },
};

/** Code outside the packages declares its imports at the root. */
const ROOT_PACKAGE = '.';

/** What loads on an agent's path must not import these, directly or indirectly. */
export const LIGHT = [
  { entry: 'packages/contracts/src/index.ts', without: ['zod'] },
  { entry: 'packages/contracts/src/places.ts', without: ['zod'] },
];

/** Only the command prints and exits, and the entry points of programs. The client is nothing but a program. */
export const MAY_PRINT = [
  'apps/cli/src/',
  'apps/client/src/',
  'apps/server/src/main.ts',
  'apps/server/src/record/recorder-worker.ts',
  'packages/testing/src/',
];

/** Outside packages/agents no code names an agent: adding one is a folder and a line. All exceptions are here. */
export const MAY_NAME_AGENTS = [
  'packages/agents/src/', // a folder per agent, and the list
  'packages/testing/src/', // drivers of the test bed start real agents
  'packages/contracts/src/portable.ts', // the portable payload has the shape of Claude Code's
  'apps/cli/src/demo/sessions/', // recorded sessions, by agent
  'packages/redact/src/', // services whose secrets it knows, and dictionary words, some of which are the same
];

/** Git is started in its package only. The library's shell scripts have their own function `git`, which closes the same settings. */
const MAY_START_GIT = [
  'packages/git/src/',
  'packages/testing/src/', // as a user would, with everything that is configured
];

/** As many files as can be read at a glance. */
const MAX_FILES = 20;

/** Agents of the design, in addition to those with a folder. */
const AGENT_WORDS = [
  'claude',
  'codex',
  'gemini',
  'cursor',
  'copilot',
  'opencode',
  'qwen',
  'cline',
  'droid',
  'pi',
  'kilo',
  'grok',
  'kimi',
  'omp',
  'auggie',
  'vscode',
];

/** Beside the agents' folders, but not one of them. */
const SHARED_FOLDER = 'shared';

export const packageOf = (path) => Object.keys(PACKAGES).find((owner) => path.startsWith(`${owner}/`)) ?? ROOT_PACKAGE;
const isTest = (path) => packageOf(path) === ROOT_PACKAGE || /(?:^|\/)test\//.test(path);
const among = (path, prefixes) => prefixes.some((prefix) => path === prefix || path.startsWith(prefix));
const agentFolder = (path) => /^packages\/agents\/src\/([^/]+)\//.exec(path)?.[1];

function importProblem(path, { specifier, isType }, manifests) {
  const owner = packageOf(path);
  const rules = PACKAGES[owner];
  if (specifier.startsWith('.')) {
    const target = resolveRelative(path, specifier);
    if (!target.startsWith(`${owner}/`)) return `leaves ${owner} by a path; import the package`;
    const [own, other] = [agentFolder(path), agentFolder(target)];
    if (own && other && own !== other && other !== SHARED_FOLDER) return `agent ${own} knows agent ${other}`;
    if (own && !other) return `agent ${own} imports from outside its folder and ${SHARED_FOLDER}/`;
    return undefined;
  }
  if (specifier.startsWith('@piton/')) {
    const name = specifier.split('/')[1];
    if (!rules.ours.includes(name)) return `${owner} may not know @piton/${name}`;
    if (rules.typesOnly?.includes(name) && !isType) return `${owner} may know of @piton/${name} its types only`;
  }
  if (specifier.startsWith('node:')) {
    if (specifier === 'node:child_process' && !rules.starts) return `${owner} may not use ${specifier}`;
    return !rules.builtins || rules.builtins.includes(specifier) ? undefined : `${owner} may not use ${specifier}`;
  }
  const name = packageNameOf(specifier);
  return manifests[owner]?.dependencies?.[name] === undefined ? `${name} is no dependency of ${owner}` : undefined;
}

/** A test may also import devDependencies. It imports its own package by name. */
function testImportProblem(path, specifier, manifests) {
  const name = packageNameOf(specifier);
  const owner = packageOf(path);
  const { name: own, dependencies, devDependencies } = manifests[owner] ?? {};
  if (!name.startsWith('@piton/') || name === own || { ...dependencies, ...devDependencies }[name] !== undefined) return undefined;
  return `${name} is no dependency of ${owner === ROOT_PACKAGE ? 'the workspace' : owner}, not for development either`;
}

const isProcess = (node, ...names) =>
  node.object.type === 'Identifier' &&
  node.object.name === 'process' &&
  node.property.type === 'Identifier' &&
  names.includes(node.property.name);

/** Words as in text and in names: `codexHome`, `codex-home`, `Codex`. Environment variables stay whole. */
const wordsOf = (text) => text.toLowerCase().match(/\w+/g) ?? [];

/** Finds code that prints, exits or names an agent. */
function forbiddenUses(path, program, agents) {
  const found = [];
  const report = (node, problem) => found.push({ at: node.start, problem });
  const named = (node, words) => {
    const name = among(path, MAY_NAME_AGENTS) ? undefined : words.find((word) => agents.includes(word));
    if (name) report(node, `names an agent, ${name}`);
  };
  new Visitor({
    MemberExpression: (node) => {
      if (among(path, MAY_PRINT)) return;
      if (node.object.type === 'Identifier' && node.object.name === 'console') report(node, 'prints: only the command may');
      if (isProcess(node, 'stdout', 'stderr')) report(node, 'prints: only the command may');
      if (isProcess(node, 'exit', 'exitCode')) report(node, 'exits: only an entry point may');
    },
    Literal: (node) => void (typeof node.value === 'string' && named(node, wordsOf(node.value))),
    TemplateElement: (node) => named(node, wordsOf(node.value.raw)),
    Identifier: (node) => named(node, wordsOf(node.name.replace(/([a-z0-9])([A-Z])/g, '$1 $2'))),
  }).visit(program);
  return found;
}

/**
 * `files`: path from the root → text. `manifests`: package → its package.json. `gitSettings`: the settings of a closed git.
 * Returns one line per broken rule.
 */
export function checkPackages(files, manifests = {}, gitSettings = []) {
  const code = Object.keys(files).filter((path) => /\.(?:tsx?|mjs)$/.test(path));
  const agents = [...new Set([...AGENT_WORDS, ...code.map(agentFolder).filter((name) => name && name !== SHARED_FOLDER)])];
  const sources = Object.fromEntries(code.map((path) => [path, readSource(path, files[path])]));
  const problems = [];
  for (const { path, text, program, errors, imports } of Object.values(sources)) {
    const report = (at, problem) => problems.push(`${path}:${lineOf(text, at)} ${problem}`);
    for (const { message } of errors) report(0, message);
    for (const { specifier, at, isType } of imports) {
      const problem = isTest(path) ? testImportProblem(path, specifier, manifests) : importProblem(path, { specifier, isType }, manifests);
      if (problem) report(at, problem);
    }
    if (isTest(path)) continue;
    for (const { at, problem } of forbiddenUses(path, program, agents)) report(at, problem);
    if (PACKAGES[packageOf(path)].starts && packageOf(path) !== 'packages/testing')
      for (const { at, problem } of programStarts(path, program, imports)) report(at, problem);
    if (path.startsWith('apps/dashboard/')) for (const { at, problem } of textAsMarkup(program)) report(at, problem);
    if (!among(path, MAY_START_GIT)) for (const { at, problem } of gitStarts(program)) report(at, problem);
  }
  for (const [path, text] of Object.entries(files)) {
    if (path.endsWith('.c')) problems.push(...cStarts(path, text));
    const problem = path.endsWith('.sh') ? shellGitProblem(text, gitSettings) : path.endsWith('.md') ? artifactGitProblem(text) : undefined;
    if (problem) problems.push(`${path} ${problem}`);
  }
  for (const { entry, without } of LIGHT) {
    for (const path of reachable(entry, sources)) {
      const heavy = sources[path]?.imports.find(({ specifier }) => without.includes(specifier.split('/')[0]));
      if (heavy) problems.push(`${path} brings ${heavy.specifier} to ${entry}`);
    }
  }
  return [
    ...problems,
    ...doubledNames(sources, manifests),
    ...unusedDependencies(sources, manifests, packageOf, isTest),
    ...retiredWords(sources),
  ];
}

function reachable(entry, sources) {
  const seen = new Set();
  const next = [entry];
  for (let path = next.pop(); path; path = next.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const { specifier } of sources[path]?.imports ?? []) if (specifier.startsWith('.')) next.push(resolveRelative(path, specifier));
  }
  return seen;
}

/** Packages on disk that have no rule here could do anything. */
function unruled() {
  const packages = ['packages', 'apps'].flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`));
  return packages.filter((each) => !PACKAGES[each] && filesBelow(join(ROOT, each)).some((file) => file.endsWith('.ts')));
}

const WITH_TESTS = new Set(['node_modules', 'dist', 'fixtures', 'samples', '.git']);

/** Everything that has a rule: product code, tests, scripts, and the files of the library. */
export function readWorkspace() {
  const below = (folder, pattern) =>
    filesBelow(join(ROOT, folder), WITH_TESTS)
      .map((file) => relative(ROOT, file))
      .filter((path) => pattern.test(path));
  const paths = [
    ...['packages', 'apps', 'scenarios'].flatMap((folder) => below(folder, /\.tsx?$/)),
    ...['scripts', 'bench'].flatMap((folder) => below(folder, /\.(?:ts|mjs)$/)),
    ...below('apps/forwarder/src', /\.c$/),
    ...below('hooks-library', /\.ts$|\.sh$|\/ARTIFACT\.md$/),
  ];
  const manifestOf = (owner) => JSON.parse(readFileSync(join(ROOT, owner, 'package.json'), 'utf8'));
  return {
    files: Object.fromEntries(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')])),
    manifests: Object.fromEntries([ROOT_PACKAGE, ...Object.keys(PACKAGES)].map((owner) => [owner, manifestOf(owner)])),
  };
}

export const isProductCode = (path) => packageOf(path) !== ROOT_PACKAGE && !isTest(path) && /\.tsx?$/.test(path);

async function main() {
  const { files, manifests } = readWorkspace();
  const { SETTINGS } = await importTypeScript('packages/git/src/environment.ts');
  const problems = [
    ...unruled().map((each) => `${each} has no rule in scripts/package-rules.mjs`),
    ...checkPackages(files, manifests, SETTINGS),
    ...lostStarts(Object.keys(files)).map((path) => `${path} is listed in scripts/package-rules/program-starts.mjs, and is not there`),
    ...lostPaths(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'), (path) => existsSync(join(ROOT, path))),
    ...fullFolders(Object.keys(files).filter(isProductCode), MAX_FILES),
  ];
  for (const problem of problems) console.log(problem);
  console.log(
    problems.length === 0 ? `${Object.keys(files).length} files keep the package rules` : `${problems.length} broken package rules`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
