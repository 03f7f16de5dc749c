import { type Paint, painter } from './output/paint.ts';
import { jsonText, safeText } from './output/safe-text.ts';
import { wrap } from './output/text.ts';

/** What a command may know of the world around it. Tests of the whole tool set these from outside. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The directory that holds `cli.mjs` and the parts of the runtime beside it. */
  readonly distribution: string;
  readonly version: string;
  /** How this command was called. */
  readonly script: string;
  readonly out: (text: string) => void;
  /** What is no text of ours, such as a patch. */
  readonly outBytes: (bytes: Uint8Array) => void;
  readonly err: (text: string) => void;
  /** Text that a program takes on, such as a diff: into a pipe or a file it goes as it is. */
  readonly verbatim: (text: string) => void;
  /** One line on a person's terminal that is written over, and taken away by an empty one. */
  readonly progress: (line: string) => void;
  readonly paint: Paint;
  readonly width: number;
  /** What is said is read on a terminal, not by a program or from a file. */
  readonly terminal: boolean;
  /** A person sits at both ends: only then may anything ask. */
  readonly interactive: boolean;
  /** What the process will exit with; a command that found something wrong sets 1. */
  readonly exit: { code: number };
  /** Aborted when whoever read our output, such as `head`, has left. */
  readonly readerGone: AbortSignal;
}

export function processContext(distribution: string, version: string): Context {
  const { env, stdout, stdin, stderr } = process;
  const exit = { code: 0 };
  const gone = new AbortController();
  // A reader that leaves early is no error; what was begun is still brought to its end, in silence.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && !gone.signal.aborted) {
      exit.code = 1;
      stderr.write(`error: cannot write output: ${error.message}\n`);
    }
    gone.abort();
  });
  stderr.on('error', () => {});
  const colour = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const write = (text: string): void => void (gone.signal.aborted || stdout.write(text));
  const out = (text: string): void => write(safeText(text, colour));
  return {
    env,
    cwd: currentDirectory(),
    distribution,
    version,
    script: process.argv[1] ?? distribution,
    out,
    err: (text) => void stderr.write(safeText(text, colour)),
    verbatim: stdout.isTTY ? out : write,
    outBytes: (bytes) => void (gone.signal.aborted || stdout.write(bytes)),
    progress: (line) => void (stderr.isTTY && stderr.write(`\r\u001b[K${safeText(line, false)}`)),
    paint: painter(colour),
    width: stdout.isTTY ? Math.max(60, stdout.columns || 100) : Number.POSITIVE_INFINITY,
    terminal: stdout.isTTY === true,
    interactive: stdin.isTTY === true && stdout.isTTY === true,
    exit,
    readerGone: gone.signal,
  };
}

/** A deleted working directory is no reason to fail: most commands do not need one. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

export function printJson(context: Context, value: unknown): void {
  context.out(`${jsonText(value, 2)}\n`);
}

export function printLine(context: Context, line = ''): void {
  context.out(`${line}\n`);
}

/** Running text: broken between words where the terminal ends. */
export function printParagraph(context: Context, paragraph: string): void {
  printLine(context, wrap(paragraph, context.width).join('\n'));
}
