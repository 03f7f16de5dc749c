import { fitLines } from './output/fit.ts';
import { type Paint, painter } from './output/paint.ts';
import { jsonText, safeText } from './output/safe-text.ts';

/** What a command knows of its environment. Tests of the whole command set these from outside. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The directory with `cli.mjs` and the other parts of the runtime. */
  readonly distribution: string;
  readonly version: string;
  /** The path by which this command was called. */
  readonly script: string;
  readonly out: (text: string) => void;
  /** Output that is not text, such as a patch. */
  readonly outBytes: (bytes: Uint8Array) => void;
  readonly err: (text: string) => void;
  /** Text for other programs, such as a diff. Not sanitized when it goes to a pipe or a file. */
  readonly verbatim: (text: string) => void;
  /** A line on stderr that the next call overwrites. An empty one clears it. */
  readonly progress: (line: string) => void;
  readonly paint: Paint;
  readonly width: number;
  /** Rows of the terminal. Without one there is no end of it. */
  readonly height: number;
  /** Our own colours are printed. */
  readonly colours: boolean;
  /** Stdout is a terminal, not a program or a file. */
  readonly terminal: boolean;
  /** Both stdin and stdout are terminals. Otherwise nothing may ask. */
  readonly interactive: boolean;
  /** The exit code. A command that found a problem sets 1. */
  readonly exit: { code: number };
  /** Aborted when the reader of our output, such as `head`, has closed it. */
  readonly readerGone: AbortSignal;
}

export function processContext(distribution: string, version: string): Context {
  const { env, stdout, stdin, stderr } = process;
  const exit = { code: 0 };
  const gone = new AbortController();
  // A reader that closes early is no error. The command still finishes, without output.
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
    width: stdout.isTTY ? Math.max(40, stdout.columns || 100) : Number.POSITIVE_INFINITY,
    height: stdout.isTTY ? stdout.rows || 24 : Number.POSITIVE_INFINITY,
    colours: colour,
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

/** Text for a person. On a terminal it is broken between words. */
export function printLine(context: Context, line = ''): void {
  context.out(`${fitLines(line, context.width)}\n`);
}

/** Lines that are not prose, such as a diff or a log: as they are. */
export function printAsIs(context: Context, lines: string): void {
  context.out(`${lines}\n`);
}
