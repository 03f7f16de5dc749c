import type { Finding } from '../finding.ts';
import { type Call, changes, claimOn, type Grounds, textOf, type Words } from '../named-place.ts';
import type { Text } from '../shell/expansion.ts';
import { agentFinding, agentOfPackage } from './agents.ts';
import { arrivalFinding } from './arrivals.ts';
import { changedWords } from './changed-words.ts';
import { COPIERS, copies } from './copiers.ts';
import { judgeGit } from './git-judge.ts';
import { incoming } from './incoming.ts';
import { judgeInterpreter, judgeStreamEditor } from './interpreters.ts';
import { HARMLESS_THERE, INTERPRETERS, KILLERS, STREAM_EDITORS } from './known-programs.ts';
import { isPitonCommand, personsCommand } from './piton-command.ts';
import { isReader } from './readers.ts';

const RUNNERS = /^(?:npx|pnpx|bunx|pnpm|yarn|npm|bun|deno|corepack|uvx|pipx)$/;
/** They run what the project defines: whatever that is, it was there before. */
const PROJECT_RUNNERS = /^(?:make|gmake|just|task|cargo|go|mvn|gradle|pytest|tox|vitest|jest|mocha|composer|bundle|rake|pip3?|poetry|uv)$/;

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
  const isPiton = (said: Words[number]): boolean => isPitonCommand(textOf(said)) || isPitonCommand(`${call.cwd ?? ''}/${textOf(said)}`);
  // Its package may be named before it: `npx --package @piton/cli piton`.
  const after = words.flatMap((said, at) => (isPiton(said) ? [words.slice(at + 1)] : []));
  if (after.length > 0) return after.map(pitonCommand).find((finding) => finding !== undefined);
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
  const isKnown =
    program.includes('/') || RUNNERS.test(name) || PROJECT_RUNNERS.test(name) || HARMLESS_THERE.has(name) || name.endsWith('diff');
  if (isKnown || incoming({ name, words: [] } as unknown as Call).length > 0) return undefined;
  const place = { text: '.', glob: false };
  return cwd !== null && claimOn(place, cwd, grounds) === 'inside' ? { kind: 'place', by: name, place: cwd } : undefined;
}

function killer({ name, words, handed }: Call, { pids }: Grounds): Finding | undefined {
  if (name === 'fuser' && isReader(name, words)) return undefined;
  const texts = [...words.flat(), ...handed].map(({ text }: Text) => text);
  const ours = texts.some((text) => /piton|server\.cjs/i.test(text) || pids.some((pid) => text === String(pid) || text === `-${pid}`));
  return ours ? { kind: 'server', by: name } : undefined;
}
