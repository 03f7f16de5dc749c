import type { Finding } from '../finding.ts';
import { type Call, changes, claimOn, type Grounds, placeNamed, textOf } from '../named-place.ts';
import { segmentsOf } from '../path-segments.ts';
import type { Text } from '../shell/expansion.ts';
import { arrivalFinding } from './arrivals.ts';
import { CODE_OPTIONS } from './known-programs.ts';
import { onlyReads, onlyReadsLines } from './reading-code.ts';
import { has, operandsOf } from './words.ts';

/** `sed` and `awk` read, unless they are told to write. */
export function judgeStreamEditor(call: Call, grounds: Grounds): Finding | undefined {
  const writes = call.words.some((said) => /^-[a-zA-Z]*i|^--in-place|^inplace$/.test(textOf(said)));
  if (writes) return changes(call, call.words, grounds, 'tee');
  return codeNaming(call, call.words.filter((said) => /(?:^|[\s;}/\d$])w\s|>|system/.test(textOf(said))).flat(), grounds);
}

/** Nobody can tell what code does with what it names. The file that it runs is read; what else it is given may be changed. */
export function judgeInterpreter(call: Call, grounds: Grounds): Finding | undefined {
  const { name, words, fed } = call;
  const module = moduleFinding(call, grounds);
  if (module !== undefined) return module === 'reads' ? undefined : module;
  const isCode = (at: number): boolean => CODE_OPTIONS.test(textOf(words[at]));
  const code = words.filter((said, at) => isCode(at - 1) || /^-e.|^--eval=/.test(textOf(said)));
  const operands = words.filter((said, at) => !textOf(said).startsWith('-') && !isCode(at - 1));
  const piped = code.length === 0 && operands.length === 0 ? call.said : [];
  const said = [...code.flat(), ...fed, ...piped];
  const spoken = codeNaming(call, said, grounds);
  if (spoken !== undefined) return spoken;
  if (code.length === 0 && fed.length === 0) return changes(call, operands.slice(1), grounds);
  const reads = [...code.flat(), ...fed].every(({ text }) => onlyReads(name, text) || onlyReadsLines(name, words.map(textOf), text));
  const inPlace = words.some((word) => /^-[a-zA-Z0-9]*i/.test(textOf(word)));
  return reads ? undefined : changes(call, operands, grounds, inPlace ? 'tee' : name);
}

/** `python3 -m …`: some of Python's own modules are programs. */
function moduleFinding(call: Call, grounds: Grounds): Finding | 'reads' | undefined {
  const at = call.words.findIndex((said) => textOf(said) === '-m');
  if (at < 0) return undefined;
  const rest = call.words.slice(at + 2);
  const operands = operandsOf(rest);
  switch (textOf(call.words[at + 1])) {
    case 'zipfile':
    case 'tarfile': {
      const extracts = has(rest, /^(?:-e|--extract)$/);
      const arrived = extracts
        ? arrivalFinding(call, [{ into: operands[1] ?? [{ text: '.', glob: false }], names: 'any' }], grounds)
        : undefined;
      return arrived ?? (has(rest, /^(?:-c|--create)$/) ? changes(call, operands.slice(0, 1), grounds) : undefined) ?? 'reads';
    }
    // It prints the first, and writes into the second.
    case 'json.tool':
      return changes(call, operands.slice(1), grounds) ?? 'reads';
    default:
      return undefined;
  }
}

function codeNaming(call: Call, code: readonly Text[], grounds: Grounds): Finding | undefined {
  for (const { text } of code) {
    const place = grounds.markIn(text) ?? placeInCode(call, text, grounds);
    if (place !== undefined && !onlyReads(call.name, text)) return { kind: 'place', by: call.name, place };
  }
  return undefined;
}

const LITERAL = /'([^'\\\n]{1,512})'|"([^"\\\n]{1,512})"|`([^`\\\n]{1,512})`/g;
const MOST_LITERALS = 256;

/** A path in the texts of the code; or a directory that holds one of ours, and the name of that; or the directory that it runs in. */
function placeInCode(call: Call, code: string, grounds: Grounds): string | undefined {
  const { cwd } = call;
  const home = grounds.variables.HOME;
  const literals = [...code.matchAll(LITERAL)].slice(0, MOST_LITERALS).map((found) => (found[1] ?? found[2] ?? found[3]) as string);
  const texts = literals.map((text) => ({ text: home === undefined ? text : text.replace(/^~(?=\/|$)/, home), glob: false }));
  const named = placeNamed(
    texts.filter(({ text }) => !/\s/.test(text)),
    cwd,
    grounds,
    'name',
  );
  if (named !== undefined) return named.path;
  const directories = [...texts, { text: '.', glob: false }];
  const holder = directories.find((text) => {
    const claim = claimOn(text, cwd, grounds);
    if (claim === undefined) return false;
    if (claim === 'inside') return true;
    return grounds.below(segmentsOf(text.text, cwd), grounds.here).some((rest) => code.includes(rest.at(-1) as string));
  });
  return holder?.text === '.' ? (cwd ?? undefined) : holder?.text;
}
