import { unwrapped } from '../../shell/programs.ts';
import type { ShellWord } from '../../shell/simple-commands.ts';
import type { Found, Rule } from '../context.ts';

/** How many arguments these options of jq take. */
const TAKES: Readonly<Record<string, number>> = {
  '--arg': 2,
  '--argjson': 2,
  '--slurpfile': 2,
  '--rawfile': 2,
  '--indent': 1,
  '-L': 1,
  '-f': 1,
  '--from-file': 1,
};

/** A missing field reads as the string "null", which a guard would compare with. */
export const jqDefaultRule: Rule = ({ texts }) =>
  texts.flatMap((text) =>
    (text.shell?.commands ?? []).flatMap((command): Found[] => {
      const [program, ...args] = unwrapped(command).words;
      const filter = program?.text === 'jq' ? filterOf(args) : undefined;
      if (filter === undefined || !isBareField(filter)) return [];
      return [
        {
          ...{ rule: 'payload.default', file: text.file, line: text.line + command.line },
          what: `jq reads ${filter} without a default: if the field is missing, the result is the string "null"`,
          remedy: `write '${filter} // empty', or ${`'${filter} // "unknown"'`}`,
        },
      ];
    }),
  );

/** Undefined if it does not read the payload, or fails by itself on a missing field. */
function filterOf(args: readonly ShellWord[]): string | undefined {
  let filter: ShellWord | undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as ShellWord;
    if (/^(?:--null-input|--exit-status|--raw-input|--from-file|--args|--jsonargs)$|^-[a-zA-Z]*[neRf]/.test(word.text)) return undefined;
    if (word.text in TAKES) at += TAKES[word.text] as number;
    else if (word.text.startsWith('-') && filter === undefined) continue;
    else if (filter === undefined) filter = word;
    // It reads a file, not the payload.
    else return undefined;
  }
  return filter === undefined || filter.dynamic ? undefined : filter.text;
}

/** Only paths: anything else in a filter may be how it handles a missing field. */
const isBareField = (filter: string): boolean => /^[\s|]*\.[A-Za-z_"][\w."[\]|\s-]*$/.test(filter);
