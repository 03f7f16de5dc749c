import type { EventRecord } from './records.ts';

/**
 * May it replace the stored record? A late record was not answered by a server. If the stand-in answered, the record is late and has
 * an outcome: that is the answer the agent got, whatever a server that died over the event had decided.
 */
export const supersedes = (
  { late, outcome }: Pick<EventRecord, 'late' | 'outcome'>,
  known: { readonly late: boolean; readonly answered: boolean },
): boolean => known.late && !known.answered && (!late || outcome !== null);
