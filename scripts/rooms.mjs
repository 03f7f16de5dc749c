// Who may know whom. The rules are the data below; ARCHITECTURE.md says why.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { filesBelow, ROOT } from './sources.mjs';

/** `ours`: the rooms it may import. `builtins`: which of Node's modules, all unless said. */
export const ROOMS = {
  'packages/contracts': { ours: [] },
  'packages/hooks': { ours: ['contracts'] },
  'packages/agents': { ours: ['contracts'], builtins: ['node:path'] },
  'packages/redact': { ours: ['contracts'] },
  'packages/artifacts': { ours: ['contracts'], builtins: [] },
  'packages/store': { ours: ['contracts', 'redact'] },
  'packages/checkpoints': { ours: ['contracts'] },
  'packages/testing': { ours: ['contracts'] },
  'apps/client': { ours: ['contracts', 'hooks', 'agents'] },
  'apps/server': { ours: ['contracts', 'hooks', 'agents', 'artifacts', 'store', 'redact', 'checkpoints'] },
  'apps/cli': { ours: ['contracts', 'hooks', 'agents', 'artifacts', 'store', 'redact', 'checkpoints', 'server', 'client'] },
};

/** What loads on an agent's path stays free of these, through every import. */
export const LIGHT = [
  { entry: 'packages/contracts/src/index.ts', without: ['zod'] },
  { entry: 'packages/contracts/src/places.ts', without: ['zod'] },
];

/** Only the command prints and exits; a program's entry point may, since somebody has to. The client is nothing but a program. */
export const MAY_PRINT = [
  'apps/cli/src/',
  'apps/client/src/',
  'apps/server/src/main.ts',
  'apps/server/src/recorder-worker.ts',
  'packages/testing/src/',
];

/** Outside their room no code names an agent: adding one is a folder and a line, and nothing else. All exceptions stand here. */
export const MAY_NAME_AGENTS = [
  'packages/agents/src/', // their room: a folder each, and the list
  'packages/testing/src/', // the test bed's drivers start real agents, and must know which
  'packages/contracts/src/portable.ts', // the portable payload has the shape of Claude Code's
  'apps/cli/src/demo/sessions/', // a session in that shape, played without an agent
  'packages/redact/src/', // services whose secrets it knows, and plain words, some of which are the same
];

/** Agents of the design, besides those that have a folder. */
const AGENT_WORDS = ['claude', 'codex', 'gemini', 'cursor', 'copilot', 'opencode', 'qwen', 'cline', 'droid', 'pi', 'kilo', 'vscode'];

/** Not an agent's folder, though it lies among them. */
const COMMON_FOLDER = 'common';

const roomOf = (path) => Object.keys(ROOMS).find((room) => path.startsWith(`${room}/`));
const among = (path, prefixes) => prefixes.some((prefix) => path === prefix || path.startsWith(prefix));
const agentFolder = (path) => /^packages\/agents\/src\/([^/]+)\//.exec(path)?.[1];

/** A relative specifier as a path from the root. */
const resolveRelative = (from, specifier) => join(from, '..', specifier);

/** Every module that a file names, types included, with where it does. */
function importsOf(program, module) {
  const found = [];
  for (const { moduleRequest } of module.staticImports) found.push({ specifier: moduleRequest.value, at: moduleRequest.start });
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

function importProblem(path, specifier, dependencies) {
  const room = roomOf(path);
  const rules = ROOMS[room];
  if (specifier.startsWith('.')) {
    const target = resolveRelative(path, specifier);
    if (!target.startsWith(`${room}/`)) return `leaves ${room} by a path; import the package`;
    const [own, other] = [agentFolder(path), agentFolder(target)];
    if (own && other && own !== other && other !== COMMON_FOLDER) return `agent ${own} knows agent ${other}`;
    if (own && !other) return `agent ${own} imports from outside its folder and ${COMMON_FOLDER}/`;
    return undefined;
  }
  if (specifier.startsWith('@piton/')) {
    const name = specifier.split('/')[1];
    return rules.ours.includes(name) ? undefined : `${room} may not know @piton/${name}`;
  }
  if (specifier.startsWith('node:')) {
    return !rules.builtins || rules.builtins.includes(specifier) ? undefined : `${room} may not use ${specifier}`;
  }
  const name = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0];
  return dependencies[room]?.includes(name) ? undefined : `${name} is no dependency of ${room}`;
}

const isProcess = (node, ...names) =>
  node.object.type === 'Identifier' &&
  node.object.name === 'process' &&
  node.property.type === 'Identifier' &&
  names.includes(node.property.name);

/** Words as people and variables spell them: `codexHome`, `codex-home`, `Codex`. Variables of the environment stay whole. */
const wordsOf = (text) => text.toLowerCase().match(/\w+/g) ?? [];

/** Printing, exiting, and naming an agent. */
function conductOf(path, program, agents) {
  const found = [];
  const tell = (node, problem) => found.push({ at: node.start, problem });
  const named = (node, words) => {
    const name = among(path, MAY_NAME_AGENTS) ? undefined : words.find((word) => agents.includes(word));
    if (name) tell(node, `names an agent, ${name}`);
  };
  new Visitor({
    MemberExpression: (node) => {
      if (among(path, MAY_PRINT)) return;
      if (node.object.type === 'Identifier' && node.object.name === 'console') tell(node, 'prints: only the command may');
      if (isProcess(node, 'stdout', 'stderr')) tell(node, 'prints: only the command may');
      if (isProcess(node, 'exit', 'exitCode')) tell(node, 'exits: only an entry point may');
    },
    Literal: (node) => void (typeof node.value === 'string' && named(node, wordsOf(node.value))),
    TemplateElement: (node) => named(node, wordsOf(node.value.raw)),
    Identifier: (node) => named(node, wordsOf(node.name.replace(/([a-z0-9])([A-Z])/g, '$1 $2'))),
  }).visit(program);
  return found;
}

/** `files`: path from the root → text. `dependencies`: room → names. Gives back one line per broken rule. */
export function checkRooms(files, dependencies) {
  const paths = Object.keys(files);
  const agents = [...new Set([...AGENT_WORDS, ...paths.map(agentFolder).filter((name) => name && name !== COMMON_FOLDER)])];
  const problems = [];
  const imports = {};
  for (const path of paths) {
    const text = files[path];
    const { program, module, errors } = parseSync(path, text);
    const tell = (at, problem) => problems.push(`${path}:${text.slice(0, at).split('\n').length} ${problem}`);
    for (const { message } of errors) tell(0, message);
    imports[path] = importsOf(program, module);
    for (const { specifier, at } of imports[path]) {
      const problem = importProblem(path, specifier, dependencies);
      if (problem) tell(at, problem);
    }
    for (const { at, problem } of conductOf(path, program, agents)) tell(at, problem);
  }
  for (const { entry, without } of LIGHT) {
    for (const path of reachable(entry, imports)) {
      const heavy = imports[path]?.find(({ specifier }) => without.includes(specifier.split('/')[0]));
      if (heavy) problems.push(`${path} brings ${heavy.specifier} to ${entry}`);
    }
  }
  return problems;
}

function reachable(entry, imports) {
  const seen = new Set();
  const next = [entry];
  for (let path = next.pop(); path; path = next.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const { specifier } of imports[path] ?? []) if (specifier.startsWith('.')) next.push(resolveRelative(path, specifier));
  }
  return seen;
}

/** Rooms that lie on disk without a rule here would be free to do anything. */
function unruled() {
  const rooms = ['packages', 'apps'].flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`));
  return rooms.filter((room) => !ROOMS[room] && filesBelow(join(ROOT, room)).some((file) => file.endsWith('.ts')));
}

function main() {
  const files = {};
  const dependencies = {};
  for (const room of Object.keys(ROOMS)) {
    const sources = filesBelow(join(ROOT, room, 'src')).filter((file) => file.endsWith('.ts'));
    for (const file of sources) files[relative(ROOT, file)] = readFileSync(file, 'utf8');
    dependencies[room] = Object.keys(JSON.parse(readFileSync(join(ROOT, room, 'package.json'), 'utf8')).dependencies ?? {});
  }
  const problems = [...unruled().map((room) => `${room} has no rule in scripts/rooms.mjs`), ...checkRooms(files, dependencies)];
  for (const problem of problems) console.log(problem);
  console.log(problems.length === 0 ? `${Object.keys(files).length} files keep to their rooms` : `${problems.length} broken room rules`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
