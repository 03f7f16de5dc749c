import { type Rule, textIn } from '../context.ts';

const LONGEST_ACTION = 5;
const FEWEST_WORDS = 4;
/** Words that say nothing about what a hook does. */
const EMPTY_WORDS = new Set(
  'a an and agent agents for hook hooks event events handler handlers lifecycle observer my of on some stuff test the things this to tool tools thing helper misc various'.split(
    ' ',
  ),
);

/** People find a hook by its description. */
export const descriptionRule: Rule = ({ way, entry, file, lineOf }) => {
  if (way !== 'artifact') return [];
  const words = (textIn(entry, 'description') ?? '').toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? [];
  const meaningful = words.filter((word) => !EMPTY_WORDS.has(word));
  if (words.length >= FEWEST_WORDS && meaningful.length >= 2) return [];
  const what = words.length === 0 ? '"description" is missing' : '"description" is too vague to search for';
  const remedy = 'describe what it does and to what, as in "Log session-end events to a local audit file."';
  return [{ rule: 'description', file, line: lineOf('description'), what, remedy }];
};

/** Shell inside another format is hard to read and to test. */
export const longActionRule: Rule = ({ texts: [action], way }) => {
  if (action?.kind !== 'action') return [];
  const lines = action.text.trim().split('\n').length;
  if (lines <= LONGEST_ACTION) return [];
  const remedy = way === 'artifact' ? 'move it to scripts/ next to the ARTIFACT.md and call it from there' : 'move it to a separate script';
  return [{ rule: 'action.long', file: action.file, line: action.line, what: `the action has ${lines} lines`, remedy }];
};

/** A hook that is marked as sensitive should have a sandbox. */
export const sandboxRule: Rule = ({ entry, file, lineOf }) => {
  const { sensitivity, sandbox_profile: profile = 'none' } = entry;
  if ((sensitivity !== 'medium' && sensitivity !== 'high') || profile !== 'none') return [];
  return [
    {
      ...{ rule: 'sandbox', file, line: lineOf('sensitivity'), what: `"sensitivity" is ${sensitivity}, but it has no sandbox` },
      remedy: 'add sandbox_profile: read-only, no-network or strict',
    },
  ];
};
