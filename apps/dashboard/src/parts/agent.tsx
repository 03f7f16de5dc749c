import { meta } from '../api/meta.ts';

const MARKS = ['#b4532a', '#3f6f9e', '#2f7a55', '#7a4f9a', '#9a6a12', '#a33a5c', '#2a7a80', '#5a5fa8', '#6c6a2c', '#8a4b36'] as const;

/** The same agent has the same colour everywhere, and no agent is known by name: its place in the list of agents decides. */
export function colourOf(agent: string): string {
  const at = meta.value?.agents.findIndex(({ id }) => id === agent) ?? -1;
  if (at >= 0) return MARKS[at % MARKS.length] ?? MARKS[0];
  let hash = 7;
  for (const character of agent) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return MARKS[hash % MARKS.length] ?? MARKS[0];
}

export const titleOf = (agent: string): string => meta.value?.agents.find(({ id }) => id === agent)?.title ?? agent;

export function AgentMark({ agent }: { readonly agent: string }) {
  return (
    <span class="agent-mark" style={{ '--mark': colourOf(agent) }} aria-hidden="true">
      {titleOf(agent).slice(0, 1).toUpperCase()}
    </span>
  );
}

export function AgentName({ agent }: { readonly agent: string }) {
  return (
    <span class="agent-name">
      <AgentMark agent={agent} />
      {titleOf(agent)}
    </span>
  );
}
