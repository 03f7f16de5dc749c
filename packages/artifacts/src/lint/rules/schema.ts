import type { Rule } from '../context.ts';

const SCHEMA = 'see the fields: piton schema artifact, piton schema settings';
const isPattern = (field: string): boolean => field === 'matcher' || field === 'when';

/** Fields of the wrong type, invalid patterns, unknown agents. */
export const schemaRule: Rule = ({ reading, file, lineOf }) =>
  reading.wrong.map(({ field, what }) => ({
    rule: isPattern(field) ? 'pattern' : field === 'target_harnesses' ? 'target' : 'schema',
    file,
    line: lineOf(field),
    what,
    ...(!isPattern(field) && field !== 'target_harnesses' && { remedy: SCHEMA }),
  }));

/** Not an error: a newer Piton may know the field. */
export const unknownFieldRule: Rule = ({ reading, file, lineOf }) =>
  reading.unknown.map(({ field, what }) => ({ rule: 'schema.unknown', file, line: lineOf(field), what, remedy: SCHEMA }));
