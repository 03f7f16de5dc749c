import type { EventRecord } from './records.ts';

/**
 * May it take the place of the record that is there? Late is what no server has answered. Where a stand-in has, it is late with an
 * outcome: that is what the agent was told, whatever a server that died over the event had in mind.
 */
export const supersedes = (
  { late, outcome }: Pick<EventRecord, 'late' | 'outcome'>,
  known: { readonly late: boolean; readonly answered: boolean },
): boolean => known.late && !known.answered && (!late || outcome !== null);
