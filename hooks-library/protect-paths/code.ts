/** Calls that write, move or remove the file that their first string names. */
const CALLS = [
  /\b(?:writeFile|appendFile|createWriteStream|unlink|rm|rename|copyFile|truncate)(?:Sync)?\(\s*['"`]([^'"`\n]{1,500})/g,
  /\bopen\(\s*['"]([^'"\n]{1,500})['"]\s*,\s*(?:mode\s*=\s*)?['"][rbt]*[wax+]/g,
  /\bPath\(\s*['"]([^'"\n]{1,500})['"]\s*\)\.(?:write_text|write_bytes|unlink|touch|rename)\b/g,
  /\bos\.(?:remove|unlink|rename|replace|truncate)\(\s*['"]([^'"\n]{1,500})/g,
  /\bFile\.(?:write|delete|rename|truncate)\(\s*['"]([^'"\n]{1,500})/g,
];
const MAX_LENGTH = 100_000;

/** The files that code on the command line names and writes. A name that it computes is not seen. */
export const filesInCode = (args: readonly string[]): string[] =>
  args.flatMap((arg) => CALLS.flatMap((pattern) => [...arg.slice(0, MAX_LENGTH).matchAll(pattern)].map(([, file]) => file ?? '')));
