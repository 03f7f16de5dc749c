/** A word of a command that looks like a file. */
const PATH = String.raw`"\$\{?(?:[A-Z]+_PROJECT_DIR|HOME)\}?/[^"$\x60\\]+"|"?\$\{?(?:[A-Z]+_PROJECT_DIR|HOME)\}?"?/[^\s;&|)"'<>]+"?|"(?:~|\.{0,2})/[^"$]+"|(?:~|\.{1,2})?/[^\s;&|)"'<>$]+|[\w.-]+/[^\s;&|)"'<>$:]+`;
const WORD = new RegExp(String.raw`(?<=^|[\s;&|(=])(?:${PATH})(?=$|[\s;&|)<>])`, 'g');

export interface NamedFile {
  /** As written in the command. */
  readonly written: string;
  /** Without quotes; variables stay. */
  readonly path: string;
}

/** The files that a command names. They may not exist. */
export function filesNamed(command: string): NamedFile[] {
  const found = [...command.matchAll(WORD)].map(([written]) => ({ written, path: written.replaceAll('"', '') }));
  return found.filter((file, at) => found.findIndex((other) => other.written === file.written) === at);
}

/** The command with each copied file replaced by its path in the artifact's folder. */
export function withBundled(command: string, bundled: readonly { readonly written: string; readonly as: string }[]): string {
  return command.replace(WORD, (written) => bundled.find((file) => file.written === written)?.as ?? written);
}

/** In an artifact `scripts/x` refers to its folder. In the original it was relative to the working directory. */
export const fromWorkingDirectory = (command: string): string =>
  command.replace(/(?<=^|[\s;&|(])(?:\.\/)?scripts\/(?=[^\s;&|])/g, '"$PWD"/scripts/');
