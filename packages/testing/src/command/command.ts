import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The built command. */
export const COMMAND = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'cli.mjs');
const RESIDENT = join(import.meta.dirname, 'resident.mjs');
const ON_TERMINAL = join(import.meta.dirname, 'on-terminal.mjs');

type Environment = Readonly<Record<string, string | undefined>>;

export interface CommandCall {
  readonly cwd: string;
  readonly env: Environment;
  readonly input?: string;
}

/** What a process leaves, by the names that both `spawn` and `spawnSync` use. */
export interface CommandEnd {
  readonly code: number | null;
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const GROUPS = new Set(['checkpoints', 'events', 'hooks', 'mcp', 'server', 'sessions', 'settings']);
/** They read stdin, hand their own stdio on, or stay until a signal: that takes a process. */
const PROCESS_ONLY = new Set(['demo', 'events tail', 'mcp serve', 'redact', 'resume', 'server run']);
/** Whether it can be one call of many in a process. */
function needsStdio(args: readonly string[]): boolean {
  return PROCESS_ONLY.has(commandOf(args)) || args.includes('--watch');
}

function commandOf(args: readonly string[]): string {
  const [first = '', second = ''] = args.filter((word) => !word.startsWith('-'));
  return GROUPS.has(first) ? `${first} ${second}` : first;
}

const seen = new Set<string>();

/** Each command of a test file, or of files that share modules, is a process of its own the first time; so is whatever needs one. */
function needsProcess(args: readonly string[], { cwd, env, input }: CommandCall): boolean {
  const command = commandOf(args);
  if (!seen.has(command)) {
    seen.add(command);
    return true;
  }
  return needsStdio(args) || Boolean(input) || env.NODE_OPTIONS !== undefined || !existsSync(cwd);
}

export interface TerminalCalls {
  readonly calls: readonly (readonly string[])[];
  readonly cwd: string;
  readonly env: Environment;
  /** Stands before the output of each, with its number. */
  readonly mark: string;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Lines of a shell that run them all on its terminal with nothing to read: most in one process, the others each in its own. */
export function terminalScript(list: string, { calls, cwd, env, mark }: TerminalCalls): readonly string[] {
  const numbered = calls.map((args, number) => ({ number, args }));
  const together = numbered.filter(({ args }) => !needsStdio(args));
  writeFileSync(list, JSON.stringify({ cli: COMMAND, cwd, env, mark, calls: together }));
  const alone = numbered.filter((call) => !together.includes(call));
  return [
    `${[process.execPath, ON_TERMINAL, list].map(quoted).join(' ')} < /dev/null`,
    ...alone.map(
      ({ number, args }) =>
        `printf '%s%s\\n' ${quoted(mark)} ${number}; ${[process.execPath, COMMAND, ...args].map(quoted).join(' ')} < /dev/null`,
    ),
  ];
}

/** One process of the command that takes call after call. Two at a time would share a working directory: the second is a process. */
interface Resident {
  readonly child: ChildProcess;
  readonly answers: string;
  busy: boolean;
  calls: number;
}
let resident: Resident | undefined;

function freeResident(): Resident | undefined {
  if (resident === undefined || resident.child.exitCode !== null || !resident.child.connected) {
    const answers = mkdtempSync(join(tmpdir(), 'piton-command-'));
    const child = spawn(process.execPath, [RESIDENT, answers], { cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.unref();
    child.channel?.unref();
    resident = { child, answers, busy: false, calls: 0 };
  }
  return resident.busy ? undefined : resident;
}

/** Sends the call; the answer will lie in the file. Variables that are undefined are none. */
function send(one: Resident, args: readonly string[], { cwd, env }: CommandCall): string {
  one.busy = true;
  const to = join(one.answers, String(++one.calls));
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  one.child.send({ cli: COMMAND, args, cwd, env: set, to });
  return to;
}

function take(one: Resident, file: string): CommandEnd {
  const { code, stdout, stderr } = JSON.parse(readFileSync(file, 'utf8')) as { code: number; stdout: string; stderr: string };
  rmSync(file);
  one.busy = false;
  const text = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
  return { code, status: code, stdout: text(stdout), stderr: text(stderr) };
}

/** The command, as a person in `cwd` types it. */
export async function runPiton(args: readonly string[], call: CommandCall): Promise<CommandEnd> {
  const one = needsProcess(args, call) ? undefined : freeResident();
  if (one === undefined) return asProcess(args, call);
  const file = send(one, args, call);
  await new Promise<void>((resolve, reject) => {
    const { child } = one;
    const ended = (): void => reject(new Error(`the resident command ended in: piton ${args.join(' ')}`));
    // Answers to calls that did not wait for a message arrive here as well.
    const answered = (to: unknown): void => {
      if (to !== file) return;
      child.off('exit', ended).off('message', answered);
      resolve();
    };
    child.on('exit', ended).on('message', answered);
  });
  return take(one, file);
}

function asProcess(args: readonly string[], { cwd, env, input = '' }: CommandCall): Promise<CommandEnd> {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env: { ...env } });
  const out = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout.on('data', (chunk: Buffer) => out.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => out.stderr.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const text = (name: keyof typeof out): string => Buffer.concat(out[name]).toString('utf8');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, status: code, stdout: text('stdout'), stderr: text('stderr') }));
  });
}

/** The same for tests that wait for nothing. What answers the command must not be this thread. */
export function runPitonSync(args: readonly string[], call: CommandCall): CommandEnd {
  const one = needsProcess(args, call) ? undefined : freeResident();
  if (one === undefined) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
      ...{ cwd: call.cwd, env: { ...call.env }, input: call.input ?? '', encoding: 'utf8', maxBuffer: 1 << 28 },
    });
    return { code: status, status, stdout, stderr };
  }
  const file = send(one, args, call);
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  for (let looks = 1; !existsSync(file); looks += 1) {
    if (looks % 100 === 0 && hasEnded(one.child.pid)) throw new Error(`the resident command ended in: piton ${args.join(' ')}`);
    Atomics.wait(asleep, 0, 0, looks < 100 ? 1 : 5);
  }
  return take(one, file);
}

/** Nobody has waited for it yet: this thread is what would. */
function hasEnded(pid: number | undefined): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return true;
  }
}
