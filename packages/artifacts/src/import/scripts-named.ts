/** A word of a command that looks like a file, as it is written there. */
const PATH = String.raw`"\$\{?(?:[A-Z]+_PROJECT_DIR|HOME)\}?/[^"$\x60\\]+"|"?\$\{?(?:[A-Z]+_PROJECT_DIR|HOME)\}?"?/[^\s;&|)"'<>]+"?|"(?:~|\.{0,2})/[^"$]+"|(?:~|\.{1,2})?/[^\s;&|)"'<>$]+|[\w.-]+/[^\s;&|)"'<>$:]+`;
const WORD = new RegExp(String.raw`(?<=^|[\s;&|(=])(?:${PATH})(?=$|[\s;&|)<>])`, 'g');

export interface NamedFile {
  /** As it stands in the command. */
  readonly written: string;
  /** Without quotes; variables stay. */
  readonly path: string;
}

/** The files that a command names. Whether there are such files is for others to say. */
export function filesNamed(command: string): NamedFile[] {
  const found = [...command.matchAll(WORD)].map(([written]) => ({ written, path: written.replaceAll('"', '') }));
  return found.filter((file, at) => found.findIndex((other) => other.written === file.written) === at);
}

/** The command with a file of its own folder in the place of each. */
export function withBundled(command: string, bundled: readonly { readonly written: string; readonly as: string }[]): string {
  return command.replace(WORD, (written) => bundled.find((file) => file.written === written)?.as ?? written);
}

/** `scripts/x` means the artifact's own folder; here it was meant from the working directory. */
export const fromWorkingDirectory = (command: string): string =>
  command.replace(/(?<=^|[\s;&|(])(?:\.\/)?scripts\/(?=[^\s;&|])/g, '"$PWD"/scripts/');
