// Builds the forwarder, its sanitized build, its release build or its fuzzer. Does nothing if the file is up to date.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withTicker } from './ticker.mjs';
import { zigCommand } from './zig.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const ROOM = join(ROOT, 'apps', 'forwarder');
const STRICT = ['-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror'];
const SANITIZERS = ['-O1', '-g', '-fno-omit-frame-pointer', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];

/** What is released, by the platform as Node names it. Linux is tested; macOS is compiled and inspected (docs/platforms.md). */
export const RELEASED = {
  'linux-x64': 'x86_64-linux-musl',
  'linux-arm64': 'aarch64-linux-musl',
  'darwin-x64': 'x86_64-macos',
  'darwin-arm64': 'aarch64-macos',
};

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** @returns the path of the program; throws with the compiler's message if it does not compile */
export function buildForwarder({ release = false, sanitize = false, target = nativeTarget(), out, stamps } = {}) {
  const to = resolve(out ?? join(ROOT, 'dist', 'forwarder', sanitize ? 'piton-forward-sanitized' : 'piton-forward'));
  const sources = sourcesIn('src');
  if (stamps) return make(to, [...sources, stamps], withStamps(waysTo(release, target)));
  return make(to, sources, sanitize ? [{ compiler: systemCompiler, flags: SANITIZERS }] : waysTo(release, target));
}

/** What a profile looks at: in the forwarder these calls are those of `stamps`. */
const STAMPED = ['connect', 'writev', 'poll', 'write', '_exit'].map((name) => `-D${name}=stamped_${name}`);
const withStamps = (ways) => ways.map(({ compiler, flags }) => ({ compiler, flags: [...flags, ...STAMPED] }));

/** Builds another program exactly like the forwarder, for fair benchmarks. */
export const buildAlike = ({ source, out, release = false }) => make(resolve(out), [resolve(source)], waysTo(release, nativeTarget()));

function waysTo(release, target) {
  const released = { compiler: zigCompiler, flags: ['-target', target, '-Os', '-s'] };
  if (release || !systemCompiler()) return [released];
  return ['-static', undefined].map((link) => ({ compiler: systemCompiler, flags: ['-O2', ...(link ? [link] : [])] }));
}

/** A standalone fuzzer with the sanitizers, or one for libFuzzer if clang is installed. */
export function buildFuzzer({ out, libfuzzer = false } = {}) {
  const to = resolve(out ?? join(ROOT, 'dist', 'forwarder', libfuzzer ? 'libfuzzer' : 'fuzzer'));
  const sources = [...sourcesIn('src').filter((file) => basename(file) !== 'main.c'), ...sourcesIn('fuzz')];
  if (!libfuzzer) return make(to, sources, [{ compiler: systemCompiler, flags: SANITIZERS }]);
  const withEngine = SANITIZERS.map((flag) => flag.replace('address,', 'fuzzer,address,'));
  return make(
    to,
    sources.filter((file) => basename(file) !== 'driver.c'),
    [{ compiler: () => ['clang'], flags: withEngine }],
  );
}

function make(to, sources, ways) {
  const stamp = join(dirname(to), `.${basename(to)}.stamp`);
  const hash = createHash('sha256').update(JSON.stringify([version, process.env.CC ?? '', ways.map(({ flags }) => flags)]));
  for (const file of [...sources, join(ROOM, 'src', 'forward.h'), fileURLToPath(import.meta.url)]) hash.update(readFileSync(file));
  const made = hash.digest('hex');
  if (existsSync(to) && existsSync(stamp) && readFileSync(stamp, 'utf8') === made) return to;
  mkdirSync(dirname(to), { recursive: true });
  // Written to a temporary folder and renamed: a running program cannot be overwritten, and parallel builds must not mix. Under its
  // own name, since the signature of a macOS program has it.
  const folder = mkdtempSync(join(dirname(to), '.new-'));
  const aside = join(folder, basename(to));
  let errors = '';
  for (const { compiler, flags } of ways) {
    const command = compiler();
    if (!command) throw new Error('no C compiler: set CC, or install cc, gcc or clang');
    const [program, ...first] = command;
    const args = [
      ...first,
      ...STRICT,
      ...flags,
      `-DPITON_VERSION="${version}"`,
      '-o',
      aside,
      ...sources.filter((file) => file.endsWith('.c')),
    ];
    const compile = () => spawnSync(program, args, { encoding: 'utf8', cwd: ROOM });
    if (compiler === zigCompiler) console.log('forwarder: compiling with zig; the first time its C library too, which takes minutes');
    const { status, stderr, error } = compiler === zigCompiler ? withTicker('forwarder: compiling with zig', compile) : compile();
    if (status === 0) {
      renameSync(aside, to);
      rmSync(folder, { recursive: true });
      writeFileSync(stamp, made);
      return to;
    }
    errors += `${program} ${flags.join(' ')}: ${error?.message ?? stderr}\n`;
  }
  rmSync(folder, { recursive: true });
  throw new Error(errors);
}

const sourcesIn = (folder) =>
  readdirSync(join(ROOM, folder))
    .filter((name) => name.endsWith('.c'))
    .sort()
    .map((name) => join(ROOM, folder, name));

const runs = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

let found;
function systemCompiler() {
  found ??=
    [process.env.CC, 'cc', 'gcc', 'clang']
      .filter(Boolean)
      .map((words) => words.trim().split(/\s+/))
      .find(([program]) => runs(program)) ?? false;
  return found || undefined;
}

const zigCompiler = () => [...zigCommand(), 'cc'];

const nativeTarget = () => RELEASED[`${process.platform}-${process.arch}`];

/** Builds what is released into `<out>/<platform>/piton-forward`, in the names of Node. Throws if one does not compile. */
export const buildReleased = (out) =>
  Object.entries(RELEASED).map(([platform, target]) => {
    console.log(`forwarder: ${platform}, by zig`);
    return buildForwarder({ release: true, target, out: join(out, platform, 'piton-forward') });
  });

const report = (path) => console.log(`forwarder: ${path} (${statSync(path).size} bytes)`);

function main(args) {
  const has = (flag) => args.includes(flag);
  const at = args.indexOf('--out');
  const out = at >= 0 ? { out: args[at + 1] } : {};
  if (has('--fuzz')) report(buildFuzzer({ libfuzzer: has('--libfuzzer'), ...out }));
  else if (has('--all')) buildReleased(join(ROOT, 'dist', 'forwarder')).map(report);
  else report(buildForwarder({ release: has('--release'), sanitize: has('--sanitize'), ...out }));
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(`forwarder: ${error.message}`);
    process.exitCode = 1;
  }
}
