/** What manifests in the root of a repository say, by their names. */
export type Manifests = Readonly<Record<string, string | undefined>>;

/** Those that are read: of the others it counts that they are there. */
export const MANIFESTS = ['package.json', 'pyproject.toml', 'composer.json', 'deno.json', 'Makefile', 'justfile'] as const;

const WORTH_SAYING = /^(?:build|test|lint|check|typecheck|types)(?:$|[:_-])/;

/** Build and test commands that a manifest declares, or that belong to one of its kind. What no manifest says is not guessed. */
export function commandsOf(paths: readonly string[], manifests: Manifests): string[] {
  const root = new Set(paths.filter((path) => !path.includes('/')));
  const has = (...names: readonly string[]): boolean => names.some((name) => root.has(name));
  const ends = (end: string): boolean => [...root].some((name) => name.endsWith(end));
  const given = (name: (typeof MANIFESTS)[number]): string => (has(name) ? (manifests[name] ?? '') : '');
  const gradle = has('gradlew') ? './gradlew' : 'gradle';
  return [
    ...keysIn(given('package.json'), 'scripts').map((name) => scriptOf(nodeManager(has), name)),
    ...keysIn(given('deno.json'), 'tasks').map((name) => `deno task ${name}`),
    ...pythonCommands(given('pyproject.toml'), has),
    ...(has('Cargo.toml') ? ['cargo build', 'cargo test'] : []),
    ...(has('go.mod') ? ['go build ./...', 'go test ./...'] : []),
    ...(has('pom.xml') ? [`${has('mvnw') ? './mvnw' : 'mvn'} package`, `${has('mvnw') ? './mvnw' : 'mvn'} test`] : []),
    ...(has('build.gradle', 'build.gradle.kts') ? [`${gradle} build`, `${gradle} test`] : []),
    ...(ends('.sln') || ends('.csproj') ? ['dotnet build', 'dotnet test'] : []),
    ...(has('mix.exs') ? ['mix test'] : []),
    ...(has('Package.swift') ? ['swift build', 'swift test'] : []),
    ...keysIn(given('composer.json'), 'scripts').map((name) => `composer run ${name}`),
    ...(has('justfile') ? targetsIn(given('justfile')).map((name) => `just ${name}`) : []),
    ...(has('Makefile') ? makeCommands(given('Makefile')) : []),
  ];
}

/** The files that `package.json` starts from, where git has them. */
export function entriesOf(paths: readonly string[], manifests: Manifests): string[] {
  const { main, bin } = objectIn(manifests['package.json']);
  const named = [main, ...(typeof bin === 'object' && bin !== null ? Object.values(bin) : [bin])];
  const files = new Set(paths);
  return named.flatMap((one) => (typeof one === 'string' ? [one.replace(/^\.\//, '')] : [])).filter((one) => files.has(one));
}

type Has = (...names: readonly string[]) => boolean;

const nodeManager = (has: Has): string =>
  has('pnpm-lock.yaml') ? 'pnpm' : has('yarn.lock') ? 'yarn' : has('bun.lock', 'bun.lockb') ? 'bun' : 'npm';

/** `bun test` is the runner of Bun, and no script. */
const scriptOf = (manager: string, name: string): string =>
  name === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${name}`;

function pythonCommands(pyproject: string, has: Has): string[] {
  const by = has('uv.lock') ? 'uv run ' : has('poetry.lock') ? 'poetry run ' : '';
  return [
    ...(/^\[tool\.pytest\b/m.test(pyproject) || has('pytest.ini') ? [`${by}pytest`] : []),
    ...(/^\[tool\.ruff\b/m.test(pyproject) || has('ruff.toml') ? [`${by}ruff check`] : []),
    ...(has('tox.ini') ? [`${by}tox`] : []),
    ...(has('noxfile.py') ? [`${by}nox`] : []),
  ];
}

function makeCommands(text: string): string[] {
  const targets = targetsIn(text);
  return targets.length > 0 ? targets.map((name) => `make ${name}`) : ['make'];
}

/** The names of what a Makefile or a justfile makes, of those that are worth saying. An assignment (`:=`) is none. */
const targetsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/^([\w-]+)(?:[ \t]+[\w =*+"'-]+)?[ \t]*:(?!=)/gm)].flatMap(([, name]) =>
      name !== undefined && WORTH_SAYING.test(name) ? [name] : [],
    ),
  ),
];

function keysIn(text: string, key: string): string[] {
  const found = objectIn(text)[key];
  return typeof found === 'object' && found !== null ? Object.keys(found).filter((name) => WORTH_SAYING.test(name)) : [];
}

function objectIn(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
