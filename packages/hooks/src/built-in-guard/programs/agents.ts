import type { Finding } from '../finding.ts';
import type { AgentSwitches } from '../guarded-places.ts';
import { type Call, textOf, type Words } from '../named-place.ts';

/** Whose files lie in the home directory: nearly all of them. */
const MOVES_HOME = 'HOME';

/** An agent that this one starts, told to run without the hooks that keep both in check. */
export function agentFinding({ name, words, exported }: Call, agents: readonly AgentSwitches[]): Finding | undefined {
  const agent = agents.find(({ programs }) => programs.includes(name));
  if (agent === undefined || has(words, /^(?:--help|-h|--version)$/)) return undefined;
  const option = optionIn(words, agent.options);
  const variable = [...exported].find((each) => each === MOVES_HOME || agent.variables.includes(each));
  const how = option ?? variable;
  return how === undefined ? undefined : { kind: 'agent', by: name, how };
}

const has = (words: Words, word: RegExp): boolean => words.some((said) => word.test(textOf(said)));

/** Each word with the one behind it: a switch may need a value to be one. */
function optionIn(words: Words, options: readonly string[]): string | undefined {
  const patterns = options.map((option) => new RegExp(`^(?:${option})`, 's'));
  const at = words.findIndex((said, index) => {
    const text = `${textOf(said)} ${textOf(words[index + 1])}`;
    return patterns.some((pattern) => pattern.test(text));
  });
  return at < 0 ? undefined : textOf(words[at]);
}

/** A package of an agent, run by its name: `npx @vendor/agent`. */
export const agentOfPackage = (text: string, agents: readonly AgentSwitches[]): string | undefined =>
  agents.find(({ packages }) => packages.some((name) => text === name || text.startsWith(`${name}@`)))?.programs[0];
