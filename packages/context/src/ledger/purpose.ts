import { walkCommand } from '@piton/shell';
import type { Purpose } from '@piton/store';

/** Programs that serve one purpose. Where a word must follow, it is one of these. */
type Programs = Readonly<Record<string, true | RegExp>>;

const TEST: Programs = {
  ...{ vitest: true, jest: true, mocha: true, ava: true, pytest: true, 'py.test': true, tox: true, nox: true, rspec: true, phpunit: true },
  ...{ ctest: true, go: /^test$/, cargo: /^(?:test|t|nextest)$/, dotnet: /^test$/, deno: /^test$/, bun: /^test$/, mix: /^test$/ },
  ...{ swift: /^test$/, make: /^(?:test|tests|check)$/, mvn: /^(?:test|verify)$/, gradle: /^(?:test|check)$/, gradlew: /^(?:test|check)$/ },
  ...{ rake: /^(?:test|spec)$/, node: /^--test$/, playwright: /^test$/, cypress: /^run$/ },
};
const BUILD: Programs = {
  ...{ webpack: true, rollup: true, esbuild: true, vite: /^build$/, next: /^build$/, go: /^(?:build|install)$/, cargo: /^(?:build|b)$/ },
  ...{ dotnet: /^build$/, make: /^(?:all|build)$/, mvn: /^(?:compile|package|install)$/, gradle: /^(?:build|assemble)$/ },
  ...{ gradlew: /^(?:build|assemble)$/, swift: /^build$/, cmake: /^--build$/, ninja: true, tsc: true, bun: /^build$/ },
};
const LINT: Programs = {
  ...{ eslint: true, biome: /^(?:check|lint|ci)$/, ruff: /^(?:check|format)$/, flake8: true, pylint: true, mypy: true, pyright: true },
  ...{ 'golangci-lint': true, go: /^vet$/, cargo: /^(?:clippy|check|fmt)$/, prettier: /^(?:--check|-c)$/, shellcheck: true, rubocop: true },
};
/** Scripts of a manifest are called after what they do: `test:unit`, `build-all`. */
const SCRIPTS: readonly (readonly [Purpose, RegExp])[] = [
  ['test', /^(?:test|tests|t|e2e|spec)(?:$|[:_-])/],
  ['build', /^(?:build|compile|dist)(?:$|[:_-])/],
  ['lint', /^(?:lint|check|types|typecheck|type-check|tsc)(?:$|[:_-])/],
];
const BY_PURPOSE: readonly (readonly [Purpose, Programs])[] = [
  ['test', TEST],
  ['build', BUILD],
  ['lint', LINT],
];
const PACKAGE_MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun', 'composer', 'just', 'task']);
/** They start the program that is named next. */
const STARTERS: ReadonlySet<string> = new Set(['npx', 'bunx', 'uvx', 'pnpx']);

interface Started {
  readonly program: string;
  readonly args: readonly string[];
}

/** What a command is for: test before build before lint, if it does several. */
export function purposeOf(command: string, cwd: string): Purpose | null {
  const { calls, wrappers } = walkCommand(command, { cwd, home: '/' });
  const found = new Set([...calls, ...wrappers].map(purposeOfCall));
  return (['test', 'build', 'lint'] as const).find((purpose) => found.has(purpose)) ?? null;
}

/**
 * Is the exit code of this command that of the part with a purpose? Not behind a pipe, and not before something that runs whatever
 * came before. Rather no where quotes confuse it.
 */
export function isEndOfPurpose(command: string, cwd: string): boolean {
  const last = command.trimEnd().split(/[;\n]/).at(-1) ?? '';
  const plain = last.replace(/\d*>&\d|&>>?/g, ' ');
  return !/\||(?:^|[^&])&(?:[^&]|$)/.test(plain) && purposeOf(last, cwd) === purposeOf(command, cwd);
}

function purposeOfCall(call: Started): Purpose | null {
  const { program, args } = startedBy(call);
  const script = PACKAGE_MANAGERS.has(program) ? scriptOf(args) : undefined;
  if (script !== undefined) {
    const named = SCRIPTS.find(([, names]) => names.test(script));
    if (named !== undefined) return named[0];
  }
  // `tsc --noEmit` builds nothing.
  if (program === 'tsc' && args.some((arg) => arg === '--noEmit')) return 'lint';
  if (program === 'make' && args.every((arg) => arg.startsWith('-'))) return 'build';
  for (const [purpose, programs] of BY_PURPOSE) {
    const rule = Object.hasOwn(programs, program) ? programs[program] : undefined;
    if (rule === true || (rule !== undefined && args.some((arg) => rule.test(arg)))) return purpose;
  }
  return null;
}

const scriptOf = (args: readonly string[]): string | undefined =>
  args.filter((arg) => !arg.startsWith('-') && arg !== 'run' && arg !== 'run-script')[0];

/** `npx vitest run`, `python -m pytest`, `uv run pytest`, `bundle exec rspec`: the program that does the work. */
function startedBy({ program, args }: Started): Started {
  const rest = args.filter((arg) => !arg.startsWith('-'));
  const next = (words: readonly string[]): Started => ({ program: words[0] ?? '', args: words.slice(1) });
  if (STARTERS.has(program)) return next(args.slice(args.findIndex((arg) => !arg.startsWith('-'))));
  if (/^python[\d.]*$/.test(program) && args[0] === '-m')
    return args[1] === 'unittest' ? { program: 'pytest', args: [] } : next(args.slice(1));
  if ((program === 'uv' || program === 'poetry' || program === 'pipenv') && rest[0] === 'run') return next(rest.slice(1));
  if ((program === 'bundle' || program === 'npm' || program === 'pnpm' || program === 'yarn') && (rest[0] === 'exec' || rest[0] === 'dlx'))
    return next(rest.slice(1));
  return { program, args };
}
