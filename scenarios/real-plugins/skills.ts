import type { Facts } from '@piton/testing';

/** How the description of each skill begins, as a model reads it. */
const SKILLS = {
  rewind: 'Undo what an agent did to files: find the turn',
  'search-history': 'Search what agents did before in any session: prompts',
  'explain-line': 'Find which session and prompt wrote a line',
  'hand-off': 'Prepare to continue this work in another agent: what was done',
  'write-hook': 'Draft a Piton hook',
};
export const SKILL_NAMES = Object.keys(SKILLS);

/** Those that the agent offered to the model. */
export function offeredSkills({ requests }: Facts): string[] {
  const text = JSON.stringify(requests);
  return Object.entries(SKILLS).flatMap(([name, words]) => (text.includes(words) ? [name] : []));
}
