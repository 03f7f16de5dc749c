import type { Finding } from '../finding.ts';
import { type Call, changes, claimOn, type Grounds, placeNamed, textOf, type Words } from '../named-place.ts';
import type { Text } from '../shell/expansion.ts';
import { agentFinding, agentOfPackage } from './agents.ts';
import { arrivalFinding } from './arrivals.ts';
import { COPIERS, copierChanges, copies } from './copiers.ts';
import { acts, deletes, foundBy, listsInto, rootsIn } from './find.ts';
import { judgeGit } from './git-judge.ts';
import { extracts, incoming } from './incoming.ts';
import { judgeInterpreter, judgeStreamEditor } from './interpreters.ts';
import { INTERPRETERS, KILLERS, STREAM_EDITORS } from './known-programs.ts';
import { isPitonCommand, personsCommand } from './piton-command.ts';
import { isReader } from './readers.ts';
import { operandsOf, valuesOf } from './words.ts';

const RUNNERS = /^(?:npx|pnpx|bunx|pnpm|yarn|npm|bun|deno|corepack|uvx|pipx)$/;
/** They run what the project defines: whatever that is, it was there before. */
const PROJECT_RUNNERS = /^(?:make|gmake|just|task|cargo|go|mvn|gradle|pytest|tox|vitest|jest|mocha|composer|bundle|rake|pip3?|poetry|uv)$/;
/** What a program is told to leave alone. */
const LEFT_OUT = /^--(?:exclude|ignore)[\w-]*=/;
const LEAVES_OUT = /^--(?:exclude(?:-dir)?|ignore(?:-pattern|-path)?)$/;

export function judgeProgram(call: Call, grounds: Grounds): Finding | undefined {
  const { name, words } = call;
  if (isPitonCommand(call.program)) return pitonCommand(words);
  if (KILLERS.has(name)) return killer(call, grounds);
  if (name === 'git') return judgeGit(call, grounds);
  if (RUNNERS.test(name) || name.startsWith('node')) {
    const inside = packageRun(call, grounds);
    if (inside !== undefined) return 'kind' in inside ? inside : judgeProgram(inside, grounds);
  }
  if (isReader(name, words)) return undefined;
  if (STREAM_EDITORS.test(name)) return judgeStreamEditor(call, grounds);
  if (INTERPRETERS.test(name)) return judgeInterpreter(call, grounds);
  return (
    agentFinding(call, grounds.agents) ??
    // First what is named: the reason that the model reads is about that.
    changes(call, changedWords(call, grounds), grounds) ??
    (COPIERS.has(name) ? arrivalFinding(call, copies(call), grounds) : undefined) ??
    arrivalFinding(call, incoming(call), grounds) ??
    changesWhereItRuns(call, grounds)
  );
}

/** What `npx` and its like run, as if it stood alone. */
function packageRun(call: Call, grounds: Grounds): Call | Finding | undefined {
  const { words } = call;
  const piton = words.findIndex((said) => isPitonCommand(textOf(said)));
  if (piton >= 0) return pitonCommand(words.slice(piton + 1));
  const at = words.findIndex((said) => !textOf(said).startsWith('-'));
  if (at < 0 || !/^(?:npx|pnpx|bunx|uvx|pipx)$/.test(call.name)) return undefined;
  const text = textOf(words[at]);
  const program = agentOfPackage(text, grounds.agents) ?? text.replace(/(.)@.*$/, '$1').replace(/^.*\//, '');
  return { ...call, name: program, program, words: words.slice(at + 1) };
}

function pitonCommand(words: Words): Finding | undefined {
  const command = personsCommand(words.map(textOf));
  return command === undefined ? undefined : { kind: 'command', command };
}

/** A program that nobody here knows, in a directory of ours: what it makes, it makes there. */
function changesWhereItRuns({ name, program, cwd }: Call, grounds: Grounds): Finding | undefined {
  const isKnown = program.includes('/') || RUNNERS.test(name) || PROJECT_RUNNERS.test(name) || HARMLESS_THERE.test(name);
  if (isKnown || incoming({ name, words: [] } as unknown as Call).length > 0) return undefined;
  const place = { text: '.', glob: false };
  return cwd !== null && claimOn(place, cwd, grounds) === 'inside' ? { kind: 'place', by: name, place: cwd } : undefined;
}
/** They write only what they are told to, and that was looked at. */
const HARMLESS_THERE =
  /^(?:cp|mv|ln|rm|rmdir|install|rsync|scp|mkdir|touch|chmod|chown|chgrp|tee|dd|sort|uniq|xxd|tree|find|fd|fdfind|tar|bsdtar|zip|unzip|curl|wget|source|\.|gzip|truncate|shred|unlink|pushd|popd|export|unset|ulimit|umask|alias|unalias|jobs|fg|bg|disown|kill|wait|history|complete|shopt|getopts|let|enable|help|logout|times|caller|compgen|mktemp|sponge|docker|podman|gh|ssh|sqlite3|[a-z-]*diff)$/;

/** Which of its words a program changes. What nobody knows of may change them all. */
function changedWords(call: Call, grounds: Grounds): Words {
  const { name, words: all, cwd } = call;
  const words = all.filter((said, at) => !LEFT_OUT.test(textOf(said)) && !LEAVES_OUT.test(textOf(all[at - 1])));
  if (COPIERS.has(name)) return copierChanges({ ...call, words });
  switch (name) {
    case 'find':
    case 'fd':
    case 'fdfind':
      return findChanges(words, cwd, grounds);
    case 'dd':
      return words.filter((said) => textOf(said).startsWith('of='));
    case 'source':
    case '.':
      return [];
    case 'sort':
      return valuesOf(words, /^(?:-o|--output)$/);
    case 'tree':
      return valuesOf(words, /^-o$/);
    // The second file is the one that is written.
    case 'uniq':
    case 'xxd':
      return operandsOf(words, /^-[cglnosfw]$/).slice(1);
    case 'tar':
    case 'bsdtar':
    case 'gtar':
      return tarChanges(words);
    // The archive comes first; what follows is read.
    case 'zip':
      return words.some((said) => /^-[a-zA-Z]*m|^--move$/.test(textOf(said))) ? words : operandsOf(words, /^-[btnPiZx]$/).slice(0, 1);
    case 'unzip':
      return valuesOf(words, /^-d$/);
    case 'curl':
      return valuesOf(
        words,
        /^(?:-[a-zA-Z]*[ocD]|--(?:output|output-dir|cookie-jar|dump-header|trace(?:-ascii)?|stderr|etag-save|libcurl|hsts|alt-svc))$/,
      );
    case 'wget':
      return valuesOf(
        words,
        /^(?:-[a-zA-Z]*[OoaP]|--(?:output-document|output-file|append-output|directory-prefix|save-cookies|warc-file))$/,
      );
    case 'ssh-keygen':
      return valuesOf(words, /^-f$/);
    case 'docker':
    case 'podman':
      // A volume that is mounted to be read.
      return words.filter((said) => !/:ro(?:,|$)|[,=]readonly\b/.test(textOf(said)));
    // What they are told to do may name the file that they write.
    case 'vim':
    case 'nvim':
    case 'vi':
    case 'ex':
    case 'emacs':
      return words.flatMap((said) => [
        said,
        ...said.flatMap(({ text, glob }) => text.split(/[\s|"'()]+/).map((piece) => [{ text: piece, glob }])),
      ]);
    default:
      return words;
  }
}

/** But for what `find` is told to pass by, with all that is in it. Where it begins at the bottom, `-prune` comes too late. */
function findChanges(words: Words, cwd: string | null, grounds: Grounds): Words {
  const actsOtherwise = words.some((said) => /^-(?:x|X)$|^--exec/.test(textOf(said)));
  if (!acts(words) && !actsOtherwise) return [];
  const upwards = words.some((said) => /^-(?:delete|depth|d)$/.test(textOf(said)));
  const sought = words.filter((said, at) => {
    if (!/^-i?(?:path|wholename|regex)$/.test(textOf(words[at - 1]))) return false;
    const isNot = /^(?:!|-not)$/.test(textOf(words[at - 2])) && textOf(said).endsWith('/*');
    const isPruned = !upwards && textOf(words[at + 1]) === '-prune' && /^-or?$/.test(textOf(words[at + 2]));
    return !isNot && !isPruned;
  });
  const roots = rootsIn(words);
  const patterns = sought.flat().flatMap(({ text }) => {
    const pattern = text.replaceAll('\\', '').replaceAll('.*', '*');
    return [pattern, ...roots.map((root) => `${root}/${pattern}`)].map((each) => [{ text: each, glob: true }]);
  });
  const named = words.filter((_, at) => /^-i?name$/.test(textOf(words[at - 1])));
  const reads = !deletes(words) && !actsOtherwise && findsToRead(words);
  const deleted: Words = deletes(words) ? [foundBy(words, cwd, grounds).filter((text) => placeNamed([text], cwd, grounds, 'remove'))] : [];
  return [...(reads ? [] : [...patterns, ...named]), ...(actsOtherwise ? words : []), ...deleted, ...listsInto(words)];
}

function findsToRead(words: Words): boolean {
  const at = words.findIndex((said) => /^-(?:exec|execdir|ok|okdir)$/.test(textOf(said)));
  const rest = words.slice(at + 2);
  return at < 0 || isReader(textOf(words[at + 1]), rest);
}

/** Packing reads, but for the file that is made. Where files come out is another question. */
function tarChanges(words: Words): Words {
  const into = valuesOf(words, /^(?:-C|--directory)$/);
  if (extracts(words)) return into;
  const file = words.findIndex((said, at) => /^(?:-[a-z]*f|--file)$/.test(textOf(said)) || (at === 0 && /f$/.test(textOf(said))));
  return [...(file >= 0 ? words.slice(file + 1, file + 2) : []), ...valuesOf(words, /^--file$/)];
}

function killer({ name, words, handed }: Call, { pids }: Grounds): Finding | undefined {
  if (name === 'fuser' && isReader(name, words)) return undefined;
  const texts = [...words.flat(), ...handed].map(({ text }: Text) => text);
  const ours = texts.some((text) => /piton|server\.cjs/i.test(text) || pids.some((pid) => text === String(pid) || text === `-${pid}`));
  return ours ? { kind: 'server', by: name } : undefined;
}
