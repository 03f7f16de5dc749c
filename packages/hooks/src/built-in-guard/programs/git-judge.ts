import type { Finding } from '../finding.ts';
import { type Call, changes, claimOn, type Grounds, textOf, type Words } from '../named-place.ts';
import { segmentsOf } from '../path-segments.ts';
import { GIT_READERS } from './known-programs.ts';

const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix']);

/** The setting by which git looks for its hooks elsewhere. */
const HOOKS_PATH = 'core.hookspath';
const LOOKS_UP = /^(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l|get|list)$/;
const WRITES = /^(?:--unset(?:-all)?|unset)$/;

/** What git does depends on its command; `-C` says where. */
export function judgeGit(call: Call, grounds: Grounds): Finding | undefined {
  let { cwd } = call;
  let at = 0;
  let movesHooks = false;
  for (; at < call.words.length && textOf(call.words[at]).startsWith('-'); at++) {
    const option = textOf(call.words[at]);
    if (setsHooksPath(option.replace(/^--config-env=/, ''))) movesHooks = true;
    if (!WITH_VALUE.has(option)) continue;
    at += 1;
    if (/^-c$|^--config-env$/.test(option) && setsHooksPath(textOf(call.words[at]))) movesHooks = true;
    if (option === '-C' && cwd !== null) cwd = `/${segmentsOf(textOf(call.words[at]), cwd).names.join('/')}`;
  }
  const command = textOf(call.words[at]);
  const rest = call.words.slice(at + 1);
  const forced = command === 'reset' && rest.some((said) => textOf(said) === '--hard');
  const name = `git ${command}`;
  if (command === 'config' && changesHooksPath(rest.map(textOf))) movesHooks = true;
  if (movesHooks && grounds.hasPitonGitHooks(cwd ?? grounds.here)) return { kind: 'place', by: name, place: 'core.hooksPath' };
  const refs = refsFinding(name, command, rest, call);
  if (refs !== undefined) return refs;
  // These write into the directory that they run in, whatever else they are given.
  if (FILLS_DIRECTORY.test(command) && claimOn({ text: '.', glob: false }, cwd, grounds) === 'inside')
    return { kind: 'place', by: name, place: cwd ?? '.' };
  const untracks = command === 'rm' && rest.some((said) => textOf(said) === '--cached');
  if (untracks || (GIT_READERS.has(command) && !forced)) return changes({ name, cwd }, written(command, rest), grounds);
  const spared = command === 'clean' ? rest.filter((_, of) => !/^(?:-[a-zA-Z]*e|--exclude)$/.test(textOf(rest[of - 1]))) : rest;
  return changes({ name, cwd }, [...spared, ...(call.handed.length > 0 ? [call.handed] : [])], grounds);
}

const FILLS_DIRECTORY = /^(?:init|clone|clean|apply|am)$/;
const REFS = /(?:^|[\s:+'"/])refs\/piton\b/;

/** Checkpoints are refs of ours. */
function refsFinding(by: string, command: string, rest: Words, { said, fed, handed }: Call): Finding | undefined {
  const given =
    command === 'fetch'
      ? rest
          .flat()
          .filter(({ text }) => text.includes(':'))
          .map(({ text }) => ({ text: text.replace(/^.*:/, ':') }))
      : rest.flat();
  const isFed = rest.some((word) => textOf(word) === '--stdin');
  const texts = isFed ? [...given, ...said, ...fed] : command === 'update-ref' ? [...given, ...handed] : given;
  const writes = /^(?:update-ref|symbolic-ref|fetch)$/.test(command);
  return writes && texts.some(({ text }) => REFS.test(text)) ? { kind: 'place', by, place: 'refs/piton' } : undefined;
}

/** What even a command that only reads can be told to write. */
function written(command: string, words: Words): Words {
  const options = /^(?:archive|format-patch)$/.test(command) ? /^(?:-o|--output(?:-directory)?)$/ : /^--output$/;
  return words.filter((said, at) => /^--output(?:-directory)?=|^-o./.test(textOf(said)) || options.test(textOf(words[at - 1])));
}

/** `core.hooksPath=…`, as an option or in a variable. */
export const setsHooksPath = (text: string): boolean => text.toLowerCase().startsWith(HOOKS_PATH);

function changesHooksPath(words: readonly string[]): boolean {
  const at = words.findIndex((word) => word.toLowerCase() === HOOKS_PATH);
  if (at < 0 || words.slice(0, at).some((word) => LOOKS_UP.test(word))) return false;
  return words.some((word) => WRITES.test(word)) || words.slice(at + 1).some((word) => !word.startsWith('--'));
}
