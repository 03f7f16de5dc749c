import type { Text } from './expansion.ts';
import type { Finding } from './finding.ts';
import { judgeGit } from './git-judge.ts';
import { CODE_OPTIONS, COPIERS, INTERPRETERS, KILLERS, READERS, STREAM_EDITORS } from './known-programs.ts';
import { type Call, changes, type Grounds, textOf, type Words } from './named-place.ts';
import { isPitonCommand, personsCommand } from './piton-command.ts';
import { onlyReads } from './reading-code.ts';

const RUNNERS = /^(?:npx|pnpx|bunx|pnpm|yarn|npm|bun|deno|corepack)$/;
/** What a program is told to leave alone. */
const LEFT_OUT = /^--(?:exclude|ignore)[\w-]*=/;
const LEAVES_OUT = /^--(?:exclude(?:-dir)?|ignore(?:-pattern|-path)?)$/;
const FIND_ACTIONS = /^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls|x|X)$|^--exec/;

export function judgeProgram(call: Call, grounds: Grounds): Finding | undefined {
  const { name, words } = call;
  if (isPitonCommand(call.program)) return pitonCommand(words);
  if (KILLERS.has(name)) return killer(call, grounds);
  if (name === 'git') return judgeGit(call, grounds);
  if (READERS.has(name)) return undefined;
  if (RUNNERS.test(name) || name.startsWith('node')) {
    const at = words.findIndex((said) => isPitonCommand(textOf(said)));
    if (at >= 0) return pitonCommand(words.slice(at + 1));
  }
  if (STREAM_EDITORS.test(name)) return streamEditor(call, grounds);
  if (INTERPRETERS.test(name)) return interpreter(call, grounds);
  return changes(call, changedWords(call), grounds);
}

function pitonCommand(words: Words): Finding | undefined {
  const command = personsCommand(words.map(textOf));
  return command === undefined ? undefined : { kind: 'command', command };
}

/** Which of its words a program changes. What nobody knows of may change them all. */
function changedWords({ name, words: all, handed }: Call): Words {
  const words = all.filter((said, at) => !LEFT_OUT.test(textOf(said)) && !LEAVES_OUT.test(textOf(all[at - 1])));
  const operands = words.filter((said) => !textOf(said).startsWith('-'));
  if (COPIERS.has(name) && !words.some((said) => textOf(said) === '--remove-source-files')) {
    const into = words.findIndex((said) => /^(?:-t|--target-directory)$/.test(textOf(said)));
    const named = words.filter((said) => /^--[\w-]+=|^-t./.test(textOf(said)));
    return [...(into >= 0 ? words.slice(into + 1, into + 2) : operands.slice(-1)), ...named, ...(handed.length > 0 ? [handed] : [])];
  }
  if (/^(?:find|fd|fdfind)$/.test(name))
    return words.some((said) => FIND_ACTIONS.test(textOf(said))) && !findsToRead(words) ? sought(words) : [];
  if (name === 'dd') return words.filter((said) => textOf(said).startsWith('of='));
  if (name === 'sort') return words.filter((said, at) => /^(?:-o|--output)/.test(textOf(said)) || textOf(words[at - 1]) === '-o');
  if (name === 'tree') return words.filter((_, at) => textOf(words[at - 1]) === '-o');
  // The second file is the one that is written.
  if (name === 'uniq' || name === 'xxd')
    return operands.filter((said) => !/^-[cglnosfw]$/.test(textOf(words[words.indexOf(said) - 1]))).slice(1);
  if (name === 'tar' || name === 'bsdtar') return tarChanges(words);
  return words;
}

/** But for what `find` is told to pass by, with all that is in it. Where it begins at the bottom, `-prune` comes too late. */
function sought(words: Words): Words {
  const upwards = words.some((said) => /^-(?:delete|depth|d)$/.test(textOf(said)));
  return words.filter((said, at) => {
    if (!/^-i?(?:path|wholename)$/.test(textOf(words[at - 1]))) return true;
    const isNot = /^(?:!|-not)$/.test(textOf(words[at - 2])) && textOf(said).endsWith('/*');
    const isPruned = !upwards && textOf(words[at + 1]) === '-prune' && /^-or?$/.test(textOf(words[at + 2]));
    return !isNot && !isPruned;
  });
}

function findsToRead(words: Words): boolean {
  const at = words.findIndex((said) => FIND_ACTIONS.test(textOf(said)));
  return (
    /^-(?:exec|execdir|x|X)$/.test(textOf(words[at])) &&
    READERS.has(textOf(words[at + 1])) &&
    !words.some((said) => textOf(said) === '-delete')
  );
}

/** Packing reads, but for the file that is made. */
function tarChanges(words: Words): Words {
  const mode = textOf(words[0]);
  if (!/^-?-?(?:[a-z]*[ct]|create|list)/.test(mode) || words.some((said) => /^--(?:extract|get)$|^-[a-z]*x/.test(textOf(said))))
    return words;
  const file = words.findIndex((said, at) => /^(?:-[a-z]*f|--file)$/.test(textOf(said)) || (at === 0 && /f$/.test(textOf(said))));
  return file >= 0 ? words.slice(file + 1, file + 2) : [];
}

/** `sed` and `awk` read, unless they are told to write. */
function streamEditor(call: Call, grounds: Grounds): Finding | undefined {
  const writes = call.words.some((said) => /^-[a-zA-Z]*i|^--in-place|^inplace$/.test(textOf(said)));
  if (writes) return changes(call, call.words, grounds);
  return codeNaming(call.name, call.words.filter((said) => /(?:^|[\s;}/])w\s|>|system/.test(textOf(said))).flat(), grounds);
}

/** Nobody can tell what code does with what it names. The file that it runs is read; what else it is given may be changed. */
function interpreter(call: Call, grounds: Grounds): Finding | undefined {
  const { name, words, fed, cwd } = call;
  const isCode = (at: number): boolean => CODE_OPTIONS.test(textOf(words[at]));
  const code = words.filter((said, at) => isCode(at - 1) || /^-e.|^--eval=/.test(textOf(said)));
  const operands = words.filter((said, at) => !textOf(said).startsWith('-') && !isCode(at - 1));
  const piped = operands.length + code.length === 0 ? call.said : [];
  const spoken = codeNaming(name, [...code.flat(), ...fed, ...piped], grounds);
  if (spoken !== undefined) return spoken;
  // It prints the first, and writes into the second.
  const given = textOf(operands[0]) === 'json.tool' ? operands.slice(1) : operands;
  return changes({ name, cwd }, code.length > 0 ? operands : given.slice(1), grounds);
}

function codeNaming(by: string, code: readonly Text[], grounds: Grounds): Finding | undefined {
  for (const { text } of code) {
    const mark = grounds.markIn(text);
    if (mark !== undefined && !onlyReads(by, text)) return { kind: 'place', by, place: mark };
  }
  return undefined;
}

function killer({ name, words, handed }: Call, { pids }: Grounds): Finding | undefined {
  const texts = [...words.flat(), ...handed].map(({ text }) => text);
  const ours = texts.some((text) => /piton|server\.cjs/i.test(text) || pids.some((pid) => text === String(pid) || text === `-${pid}`));
  return ours ? { kind: 'server', by: name } : undefined;
}
