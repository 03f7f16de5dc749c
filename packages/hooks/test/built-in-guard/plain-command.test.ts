import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distinctiveNames } from '../../src/built-in-guard/distinctive-names.ts';
import { createBuiltInGuard, createGrounds, marksOf } from '../../src/built-in-guard/guard.ts';
import { createBelow, createClaimOf, createReceives, knownOf } from '../../src/built-in-guard/guarded-paths.ts';
import { createPlainness } from '../../src/built-in-guard/plain-command.ts';
import { judgeTool } from '../../src/built-in-guard/tool-judge.ts';
import { command, path, workingDirectory } from './generated-commands.ts';
import { callOf, DISK, PLACES, shell } from './grounds.ts';

const known = knownOf(PLACES, DISK);
/** The judge alone: without the look at the letters, and without the look at the names of a path. */
const claimOf = createClaimOf(known, PLACES, DISK);
const groundsAt = createGrounds(PLACES, DISK, {
  ...{ claimOf, below: createBelow(known, DISK), receives: createReceives(known, PLACES, DISK, claimOf) },
});
const { isPlainCommand: isPlain } = createPlainness({
  known,
  names: distinctiveNames(known),
  marks: marksOf(PLACES),
  home: PLACES.variables.HOME,
  agents: ['agent'],
  disk: DISK,
});

/** Each run has another seed, so that many runs of the suite see what one does not. `RUNS=20000` looks further at once. */
const RUNS = Number(process.env.RUNS ?? 5000);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`what the letters of a command say is what its reading says (seed ${seed})`, () => {
  const guard = createBuiltInGuard(PLACES, DISK);
  let denied = 0;
  let plain = 0;
  fc.assert(
    fc.property(command, workingDirectory, (line, cwd) => {
      const read = judgeTool(shell(line, cwd), groundsAt(cwd));
      if (read !== undefined) denied += 1;
      if (isPlain(line, cwd)) plain += 1;
      expect(guard(shell(line, cwd)), JSON.stringify([line, cwd])).toEqual(read);
    }),
    { numRuns: RUNS, seed },
  );
  // Else there was nothing to overlook, or nobody to overlook it.
  expect(denied).toBeGreaterThan(RUNS / 10);
  expect(plain).toBeGreaterThan(RUNS / 20);
});

test(`what a path's names say is what the places say (seed ${seed})`, () => {
  const guard = createBuiltInGuard(PLACES, DISK);
  fc.assert(
    fc.property(path, workingDirectory, (file, cwd) => {
      const event = callOf({ kind: 'edit', name: 'Edit', files: [file] }, cwd);
      expect(guard({ ...event }), JSON.stringify([file, cwd])).toEqual(judgeTool(event, groundsAt(cwd)));
    }),
    { numRuns: RUNS, seed },
  );
});

test.each([
  'npm test',
  'git status',
  'ls -la src',
  'cd packages/x && npx vitest run a.test.ts',
  'grep -rn "foo.*bar" src | head -20',
  'cat src/index.ts',
  `node -e 'console.log(require("./package.json").version)'`,
  'mkdir -p x/y',
  'rm -rf dist',
  'rm -rf ./dist/ build && npm run build 2>&1 | tail -5',
  'mv a.ts b.ts',
  'chmod +x run.sh',
  'echo "hello" > notes.md',
  'make >/dev/null 2>&1',
  'git add -A && git commit -m "Add a function; see (the) docs*"',
  "find . -name '*.ts' -not -path '*/node_modules/*'",
  "sed -n '1,20p' tsconfig.json",
  '# all of them\nnpm test',
  'npm test; echo "exit: $?"',
  'grep -rnE "\\bfoo\\(\\"x\\"" src',
  "python3 - <<'EOF'\nimport json\nprint(json.dumps({'a': [1, 2]}))\nEOF",
  "cat > notes.md <<'EOF'\n# Don't $use `this`\nEOF",
])('it is seen at once that %s is harmless', (line) => {
  expect(isPlain(line, '/code/app')).toBe(true);
});

test('a place of ours is told from a project of the same name', () => {
  expect(isPlain('npm test', '/code/piton')).toBe(true);
  expect(isPlain('npm test', '/home/ann/.local/state/piton/x')).toBe(false);
  expect(isPlain('npm test', '/code/app/.piton')).toBe(false);
});

test.each([
  'printf %s%s pit on trust | sh',
  'printf %s%-5s%s pit on trust | sh',
  'printf %.3s%-4s%s pitx on trust | sh',
  'printf %.3s%s pitx on trust > y.sh; sh y.sh',
  'printf %sill k 4711 > y.sh && ./y.sh',
  'printf %sm r linked/x | bash',
  ". 'rm linked/x'",
  'ls; source "kill 4711"',
  "ls && /bin/source 'echo x > linked/x'",
])('it is not passed over that %s may do more than it says', (line) => {
  expect(isPlain(line, '/code/app')).toBe(false);
  expect(createBuiltInGuard(PLACES, DISK)(shell(line, '/code/app'))).toEqual(judgeTool(shell(line), groundsAt('/code/app')));
});
