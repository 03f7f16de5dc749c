import type { Rule } from '../world.ts';

const SCHEMA = 'see the fields: piton schema artifact, piton schema settings';
const isPattern = (field: string): boolean => field === 'matcher' || field === 'when';

/** Fields that are no text where one must be, patterns that are refused, agents that there are not. */
export const schemaRule: Rule = ({ reading, file, lineOf }) =>
  reading.wrong.map(({ field, what }) => ({
    rule: isPattern(field) ? 'pattern' : field === 'target_harnesses' ? 'target' : 'schema',
    file,
    line: lineOf(field),
    what,
    ...(!isPattern(field) && field !== 'target_harnesses' && { remedy: SCHEMA }),
  }));

/** A newer Piton may know it, so that it is no error. */
export const unknownFieldRule: Rule = ({ reading, file, lineOf }) =>
  reading.unknown.map(({ field, what }) => ({ rule: 'schema.unknown', file, line: lineOf(field), what, remedy: SCHEMA }));
