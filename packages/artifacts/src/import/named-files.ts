import { readCommands } from '../shell/simple-commands.ts';

/** A word of a command that looks like a file. */
const PATH = String.raw`"\$\{?(?:[A-Z]+_PROJECT_DIR|HOME)\}?/[^"$\x60\\]+"|"?\$\{?(?:[A-Z]+_PROJECT_DIR|HOME)\}?"?/[^\s;&|)"'<>]+"?|"(?:~|\.{0,2})/[^"$]+"|(?:~|\.{1,2})?/[^\s;&|)"'<>$]+|[\w.-]+/[^\s;&|)"'<>$:]+`;
/** Not the target of a redirection: that is what the command reads or writes, not what it runs. */
const WORD = new RegExp(String.raw`(?<=^|[\s;&|(=])(?<![<>][&|]?\s*)(?:${PATH})(?=$|[\s;&|)<>])`, 'g');

export interface NamedFile {
  /** As written in the command. */
  readonly written: string;
  /** Without quotes; variables stay. */
  readonly path: string;
  /** It is the program, or what an interpreter is given first. An argument elsewhere may be data. */
  readonly runs: boolean;
}

const INTERPRETERS = /^(?:(?:ba|da|z|k|a|fi)?sh|\.|source|python[\d.]*|node|deno|bun|tsx|ts-node|ruby|perl|php|lua|uv|pwsh)$/;
/** What starts another program, and is none itself. */
const STARTERS = new Set(['exec', 'env', 'command', 'nohup', 'nice', 'time', 'timeout', 'sudo', 'run']);

function filesRun(command: string): ReadonlySet<string> {
  return new Set(
    readCommands(command).commands.flatMap(({ words }) => {
      const operands = words.map(({ text }) => text).filter((text) => !/^-|^\w+=|^[\d.]+[smhd]?$/.test(text) && !STARTERS.has(text));
      const [program = '', first = ''] = operands;
      return INTERPRETERS.test(basename(program)) ? [program, first] : [program];
    }),
  );
}

const basename = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The files that a command names, other than to redirect to or from. They may not exist. */
export function filesNamed(command: string): NamedFile[] {
  const run = filesRun(command);
  const found = [...command.matchAll(WORD)].map(([written]) => {
    const path = written.replaceAll('"', '');
    return { written, path, runs: run.has(path) };
  });
  return found.filter((file, at) => found.findIndex((other) => other.written === file.written) === at);
}

/** The command with each copied file replaced by its path in the artifact's folder. */
export function withBundled(command: string, bundled: readonly { readonly written: string; readonly as: string }[]): string {
  return command.replace(WORD, (written) => bundled.find((file) => file.written === written)?.as ?? written);
}

/** In an artifact `scripts/x` refers to its folder. In the original it was relative to the working directory. */
export const fromWorkingDirectory = (command: string): string =>
  command.replace(/(?<=^|[\s;&|(])(?:\.\/)?scripts\/(?=[^\s;&|])/g, '"$PWD"/scripts/');
