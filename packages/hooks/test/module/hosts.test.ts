import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { HookDefinition, RunRequest, Sandbox } from '../../src/index.ts';
import { createModuleHosts, type ModuleHosts, type ModuleHostsOptions } from '../../src/module/hosts.ts';
import { moduleProblem } from '../../src/module/module-file.ts';
import { hookOf, put, temporary } from '../scenery.ts';

const open: ModuleHosts[] = [];
const program = fileURLToPath(new URL('../../src/module/module-host.mjs', import.meta.url));
const hosts = (options: Partial<ModuleHostsOptions> = {}): ModuleHosts => {
  const made = createModuleHosts({ program, ...options });
  open.push(made);
  return made;
};
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const requestOf = (module: string, parts: Partial<RunRequest> = {}, hook: Partial<HookDefinition> = {}): RunRequest => ({
  hook: hookOf({ module, argv: [], ...hook }),
  argv: [],
  stdin: '{"tool_name":"Bash"}',
  cwd: '/',
  set: { PITON_EVENT: 'pre_tool_use' },
  unset: [],
  timeoutMs: 50_000,
  stdoutCap: 1000,
  stderrCap: 1000,
  ...parts,
});
const moduleOf = (text: string, name = 'hook.mjs'): string => put(join(temporary(), name), text);
const text = (bytes: Buffer): string => bytes.toString('utf8');
/** All of it, also where the pipe takes only a part at once. */
const write = (written: string): string =>
  `let rest = Buffer.from(${written}); while (rest.length > 0) try { rest = rest.subarray(writeSync(3, rest)); } catch {}`;

/** For modules that wait for each other, or for the test, by files. */
const UNTIL = `import { existsSync } from 'node:fs';
  const until = async (path) => { while (!existsSync(path)) await new Promise((r) => setTimeout(r, 10)); };`;

describe('a module', () => {
  it('answers with what its default export gives back', async () => {
    const module = moduleOf('export default (payload, { env }) => ({ decision: "deny", reason: payload.tool_name + env.PITON_EVENT });');
    const result = await hosts().run(requestOf(module));
    expect(JSON.parse(text(result.stdout))).toEqual({ decision: 'deny', reason: 'Bashpre_tool_use' });
    expect(result).toMatchObject({ exitCode: 0, timedOut: false, notStarted: false });
  });

  it('may be CommonJS, and may say nothing', async () => {
    const module = moduleOf('module.exports = async () => undefined;', 'hook.cjs');
    expect(await hosts().run(requestOf(module))).toMatchObject({ exitCode: 0, stdout: Buffer.alloc(0) });
  });

  it.each([0, 2])('reads its payload as it was written, whatever stands in it, with %i spaces before a field', async (spaces) => {
    const payload = { tool_name: 'a\n{"id":1}\r"}\u2028é😀\0', module: '/other', env: null, more: [{}, '\\', -0.5, null] };
    const stdin = `${JSON.stringify(payload, null, spaces)}\n`;
    const result = await hosts().run(requestOf(moduleOf('export default (payload) => payload;'), { stdin }));
    expect(JSON.parse(text(result.stdout))).toEqual(payload);
  });

  it('stays in one process, which another project does not share', async () => {
    const module = moduleOf('export default () => String(process.pid);');
    const all = hosts();
    const [first, second] = [await all.run(requestOf(module)), await all.run(requestOf(module))];
    const other = await all.run(requestOf(module, {}, { scope: 'project', root: '/elsewhere' }));
    expect(text(first.stdout)).toBe(text(second.stdout));
    expect(text(other.stdout)).not.toBe(text(first.stdout));
  });

  it('that is confined has a process of its own for its profile and folder, and does not run where nothing confines', async () => {
    const module = moduleOf('export default () => String(process.pid);');
    const kinds: Partial<HookDefinition>[] = [
      {},
      { sandbox: 'read-only', folder: '/a' },
      { sandbox: 'strict', folder: '/a' },
      { sandbox: 'strict', folder: '/b' },
    ];
    // What confines is tried for real elsewhere; here it is only asked.
    const asked: unknown[] = [];
    const sandbox: Sandbox = {
      confine: (argv, { profile }) => {
        asked.push(profile);
        return { argv };
      },
      problem: () => undefined,
    };
    const all = hosts({ sandbox });
    const pids: string[] = [];
    for (const kind of [...kinds, ...kinds]) pids.push(text((await all.run(requestOf(module, {}, kind))).stdout));
    expect(new Set(pids).size).toBe(4);
    expect(pids.slice(4)).toEqual(pids.slice(0, 4));
    expect(new Set(asked)).toEqual(new Set(['read-only', 'strict']));
    expect(await hosts().run(requestOf(module, {}, kinds[1]))).toMatchObject({ notStarted: true, exitCode: 126 });
  });

  it('finds no variable of ours but a few plain ones', async () => {
    process.env.PITON_TEST_SECRET = 'x';
    const module = moduleOf('export default () => ["PATH", "PITON_TEST_SECRET"].filter((name) => name in process.env).join();');
    const names = text((await hosts().run(requestOf(module))).stdout);
    delete process.env.PITON_TEST_SECRET;
    expect(names).toBe('PATH');
  });

  it('is loaded anew when it, or a file beside it, has changed', async () => {
    const folder = temporary();
    const module = put(join(folder, 'hook.mjs'), 'import { word } from "./word.mjs"; export default () => word;');
    put(join(folder, 'word.mjs'), 'export const word = "one";');
    const all = hosts();
    expect(text((await all.run(requestOf(module))).stdout)).toBe('one');
    put(join(folder, 'word.mjs'), 'export const word = "three";');
    expect(text((await all.run(requestOf(module))).stdout)).toBe('three');
    put(module, 'export default () => "other";');
    expect(text((await all.run(requestOf(module))).stdout)).toBe('other');
  });

  it('that throws has failed, and says why', async () => {
    const result = await hosts().run(requestOf(moduleOf('export default () => { throw new Error("no luck"); };')));
    expect(result).toMatchObject({ exitCode: 1, timedOut: false });
    expect(text(result.stderr)).toContain('no luck');
  });

  it.each([
    ['is missing', '/nowhere/at/all.mjs', 'all.mjs'],
    ['exports nothing', undefined, 'not a function'],
  ])('that %s has failed, and says why', async (_, path, why) => {
    const result = await hosts().run(requestOf(path ?? moduleOf('export const nothing = 1;')));
    expect(result.exitCode).toBe(1);
    expect(text(result.stderr)).toContain(why);
  });

  it.each([
    ['waits for ever', 'export default () => new Promise(() => {});'],
    ['spins', 'export default () => { for (;;); };'],
  ])('that %s is stopped at its limit, and the next run is none the worse', async (_, source) => {
    const all = hosts();
    const folder = temporary();
    const slow = put(join(folder, 'slow.mjs'), source);
    const good = put(join(folder, 'good.mjs'), 'export default () => "fine";');
    expect(await all.run(requestOf(slow, { timeoutMs: 300 }))).toMatchObject({ exitCode: -1, timedOut: true });
    expect(text((await all.run(requestOf(good))).stdout)).toBe('fine');
  });

  it('that has not begun behind one that spins runs in another process', async () => {
    const all = hosts();
    const folder = temporary();
    const good = put(join(folder, 'good.mjs'), 'export default () => "fine";');
    const slow = put(join(folder, 'slow.mjs'), 'export default () => { for (;;); };');
    await all.run(requestOf(good));
    const spinning = all.run(requestOf(slow, { timeoutMs: 1000 }));
    await sleep(200);
    const behind = all.run(requestOf(good));
    expect(await spinning).toMatchObject({ timedOut: true });
    expect(text((await behind).stdout)).toBe('fine');
  });

  it('that takes too much memory outside of the heap, or leaves it behind little by little, ends alone', async () => {
    const all = hosts({ memoryMb: 32 });
    const folder = temporary();
    const take = (count: number) => `for (let at = 0; at < ${count}; at++) kept.push(Buffer.alloc(2 ** 24, 1));`;
    const greedy = put(join(folder, 'greedy.mjs'), `const kept = []; export default () => { ${take(60)} for (;;); };`);
    const leaky = put(join(folder, 'leaky.mjs'), `const kept = []; export default () => { ${take(1)} return String(process.pid); };`);
    const result = await all.run(requestOf(greedy));
    expect(result).toMatchObject({ exitCode: 137, timedOut: false });
    expect(text(result.stderr)).toContain('more memory than allowed');
    const first = text((await all.run(requestOf(leaky))).stdout);
    for (let run = 0; run < 40; run++) await all.run(requestOf(leaky));
    await expect.poll(() => isAlive(Number(first))).toBe(false);
    expect(text((await all.run(requestOf(leaky))).stdout)).toMatch(/^\d+$/);
  });

  it.each([
    ['ends its process', 'process.exit(0)', 1, 'with code 0'],
    ['ends its process as if it denied', 'process.exit(2)', 1, 'with code 2'],
    ['kills its process', 'process.kill(process.pid, "SIGKILL"); for (;;);', 137, 'by SIGKILL'],
    ['throws where nobody waits', 'setTimeout(() => { throw new Error("too late"); }); return new Promise(() => {});', 1, 'too late'],
    ['fills its heap', 'const all = []; for (;;) all.push({ at: all.length });', 134, 'more memory than allowed'],
  ])('that %s has crashed, and says how', async (_, body, exitCode, words) => {
    const all = hosts({ memoryMb: 32 });
    const folder = temporary();
    const result = await all.run(requestOf(put(join(folder, 'hook.mjs'), `export default () => { ${body} };`)));
    expect(result.exitCode).toBe(exitCode);
    expect(text(result.stderr)).toContain(words);
    const good = put(join(folder, 'good.mjs'), 'export default () => "fine";');
    expect(text((await all.run(requestOf(good))).stdout)).toBe('fine');
  });

  it.each([
    ['no JSON', '"garbage\\n"'],
    ['JSON that is no object', '"null\\n"'],
    ['the answer of nobody', String.raw`'{"id":99,"stdout":"x"}\n{"id":"1"}\n'`],
    ['an answer that is no text', String.raw`'{"id":1,"stdout":5}\n'`],
    ['a line without an end', '"x".repeat(2 ** 24)'],
  ])('that writes %s where its host speaks ends that host, and not the process that started it', async (_, written) => {
    const all = hosts();
    const folder = temporary();
    const loud = put(
      join(folder, 'loud.mjs'),
      `import { writeSync } from 'node:fs'; export default () => { ${write(written)} for (;;); };`,
    );
    const result = await all.run(requestOf(loud));
    expect(result).toMatchObject({ exitCode: 137, timedOut: false });
    expect(text(result.stderr)).toContain('descriptor 3');
    const good = put(join(folder, 'good.mjs'), 'export default () => "fine";');
    expect(text((await all.run(requestOf(good))).stdout)).toBe('fine');
  });

  it.each([
    ['nothing', 'undefined', 0, ''],
    ['null', 'null', 0, ''],
    ['what `condition && answer` leaves', 'false', 0, ''],
    ['what `list.push(it)` leaves', '3', 0, ''],
    ['a function', '() => "deny"', 1, 'a function is not an answer'],
    ['a symbol', 'Symbol("deny")', 1, 'a symbol is not an answer'],
  ])('that gives back %s', async (_, value, exitCode, words) => {
    const result = await hosts().run(requestOf(moduleOf(`export default () => (${value});`)));
    expect(result).toMatchObject({ exitCode, stdout: Buffer.alloc(0) });
    expect(text(result.stderr)).toContain(words);
  });

  it('is told when it is cancelled', async () => {
    const folder = temporary();
    const module = put(
      join(folder, 'hook.mjs'),
      `import { writeFileSync } from 'node:fs';
       export default (_, { signal }) => new Promise(() => {
         signal.addEventListener('abort', () => writeFileSync('${folder}/told', ''));
         writeFileSync('${folder}/begun', '');
       });`,
    );
    const good = put(join(folder, 'good.mjs'), `${UNTIL} export default async () => { await until('${folder}/told'); return "fine"; };`);
    const all = hosts();
    const stop = new AbortController();
    const beside = all.run(requestOf(good));
    const waiting = all.run(requestOf(module), stop.signal);
    await expect.poll(() => existsSync(join(folder, 'begun'))).toBe(true);
    stop.abort();
    expect((await waiting).timedOut).toBe(true);
    await expect.poll(() => existsSync(join(folder, 'told'))).toBe(true);
    // What had begun beside it is left in peace.
    expect(text((await beside).stdout)).toBe('fine');
  });

  it('that looks at its signal only after it was cancelled finds it so', async () => {
    const folder = temporary();
    const module = put(
      join(folder, 'hook.mjs'),
      `${UNTIL} import { writeFileSync } from 'node:fs';
       export default async (_, call) => {
         writeFileSync('${folder}/begun', '');
         await until('${folder}/cancelled');
         writeFileSync('${folder}/seen', String(call.signal.aborted));
       };`,
    );
    // Keeps the host alive until the other has looked.
    const good = put(join(folder, 'good.mjs'), `${UNTIL} export default async () => { await until('${folder}/seen'); };`);
    const all = hosts();
    const stop = new AbortController();
    const beside = all.run(requestOf(good));
    const waiting = all.run(requestOf(module), stop.signal);
    await expect.poll(() => existsSync(join(folder, 'begun'))).toBe(true);
    stop.abort();
    await waiting;
    put(join(folder, 'cancelled'), '');
    await beside;
    expect(readFileSync(join(folder, 'seen'), 'utf8')).toBe('true');
  });

  it.each([5000, 90_000_000])('has what it says cut at the limit, were it %i letters', async (length) => {
    const module = moduleOf(`export default () => "x".repeat(${length});`);
    expect(await hosts().run(requestOf(module))).toMatchObject({ stdoutCut: true, exitCode: 0, stdout: Buffer.alloc(1000, 'x') });
  });

  it('has what it throws cut at the limit', async () => {
    const result = await hosts().run(requestOf(moduleOf('export default () => { throw new Error("x".repeat(90_000_000)); };')));
    expect(result).toMatchObject({ stderrCut: true, exitCode: 1 });
    expect(result.stderr.length).toBe(1000);
  });

  it('is loaded anew when a file beside it has changed, however many lie in folders before that', async () => {
    const folder = temporary();
    for (let at = 0; at < 250; at++) put(join(folder, 'a', `${at}.mjs`), '');
    const module = put(join(folder, 'hook.mjs'), 'import { word } from "./word.mjs"; export default () => word;');
    put(join(folder, 'word.mjs'), 'export const word = "one";');
    const all = hosts();
    expect(text((await all.run(requestOf(module))).stdout)).toBe('one');
    put(join(folder, 'word.mjs'), 'export const word = "three";');
    expect(text((await all.run(requestOf(module))).stdout)).toBe('three');
  });
});

describe('a module host', () => {
  it('goes when it has been idle', async () => {
    const module = moduleOf('export default () => String(process.pid);');
    const pid = Number(text((await hosts({ idleMs: 50 }).run(requestOf(module))).stdout));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('is not idle while a module runs, however long that takes', async () => {
    const module = moduleOf('export default () => new Promise((r) => setTimeout(() => r(String(process.pid)), 600));');
    const all = hosts({ idleMs: 250 });
    const first = text((await all.run(requestOf(module))).stdout);
    expect(text((await all.run(requestOf(module))).stdout)).toBe(first);
  });

  it('is idle from the end of its last run on', async () => {
    const module = moduleOf('export default () => String(process.pid);');
    const all = hosts({ idleMs: 5000 });
    const pids = new Set<string>();
    for (let run = 0; run < 7; run++) {
      pids.add(text((await all.run(requestOf(module))).stdout));
      await sleep(800);
    }
    expect(pids.size).toBe(1);
  });

  it('that cannot be started is told, and not tried for ever', async () => {
    const result = await hosts({ program: '/nowhere/host.mjs' }).run(requestOf(moduleOf('export default () => 1;')));
    expect(result).toMatchObject({ notStarted: true });
  });
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a module file', () => {
  const node = (version: string, typescript: unknown): NodeJS.Process =>
    ({ versions: { node: version }, features: { typescript } }) as unknown as NodeJS.Process;

  it('may be TypeScript where Node takes its types away, and is refused with a reason where it does not', () => {
    expect(moduleProblem('a.ts', node('24.1.0', 'strip'))).toBeUndefined();
    expect(moduleProblem('a.ts', node('20.20.2', undefined))).toContain('needs Node 22.18');
    expect(moduleProblem('a.mjs', node('20.20.2', undefined))).toBeUndefined();
    expect(moduleProblem('a.py', node('24.1.0', 'strip'))).toContain('neither JavaScript');
  });
});

describe('a host', () => {
  it('ends if the process that started it is gone before it could look', async () => {
    const child = spawn(process.execPath, [program, '999999999'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    const signal = await new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)));
    expect(signal).toBe('SIGKILL');
  });
});
