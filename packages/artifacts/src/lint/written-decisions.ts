import { DECISION_NAMES, type DecisionName, type EventName, exit2Of, familyOf } from '@piton/contracts';
import type { RunText } from './context.ts';

export type WrittenDecision = Exclude<DecisionName, 'observe'>;
export interface DecisionAt {
  readonly decision: WrittenDecision;
  /** Counted from the first line of the text. */
  readonly line: number;
}

/** What `block` and exit 2 mean at an event; undefined if nothing. */
export function blockAt(event: EventName): WrittenDecision | undefined {
  const block = exit2Of(event);
  return block === 'replace' ? undefined : block;
}

/** Between the name of a field and its value, in JSON, in a quoted text or in a program. */
const IS = '["\'\\\\\\s]*[:=]["\'\\\\\\s]*';
const PERMISSION = new RegExp(`permissionDecision${IS}(allow|deny|ask)\\b`, 'g');
const DECISION = new RegExp(
  `(?<![A-Za-z])decision${IS}(approve|block|${DECISION_NAMES.filter((name) => name !== 'observe').join('|')})\\b`,
  'g',
);
/** The field of Claude Code's answers that means a decision; null where only the word itself does. */
const FIELDS: Readonly<Record<WrittenDecision, RegExp | null>> = {
  ...{ deny: null, ask: null, allow: null, continue: null },
  modify: /\bupdatedInput\b/g,
  rewrite: /\bupdated(?:MCP)?ToolOutput\b/g,
  replace: /\badditionalContext\b/g,
};
const EXIT_CALL = /\bexit\(\s*2\s*\)/g;

/** The decisions that a text contains literally. Computed ones cannot be found. */
export function writtenDecisions({ text, shell }: RunText, event: EventName): DecisionAt[] {
  const plain = text
    .split('\n')
    .map((line) => (/^\s*(?:#|\/\/)/.test(line) ? '' : line))
    .join('\n');
  const found = (pattern: RegExp, decision: (value: string) => WrittenDecision | undefined): DecisionAt[] =>
    [...plain.matchAll(pattern)].flatMap((match) => {
      const written = decision(match[1] ?? '');
      return written === undefined ? [] : [{ decision: written, line: plain.slice(0, match.index).split('\n').length - 1 }];
    });
  const exits: DecisionAt[] = exitsIn(shell).flatMap((line) =>
    blockAt(event) === undefined ? [] : [{ decision: blockAt(event) as WrittenDecision, line }],
  );
  return [
    ...found(PERMISSION, (value) => value as WrittenDecision),
    ...found(DECISION, (value) => (value === 'block' ? blockAt(event) : value === 'approve' ? 'allow' : (value as WrittenDecision))),
    ...(Object.keys(FIELDS) as WrittenDecision[]).flatMap((written) => {
      const pattern = FIELDS[written];
      return pattern === null ? [] : found(pattern, () => (written === 'replace' && familyOf(event) === 'stop' ? 'continue' : written));
    }),
    ...(shell === undefined ? found(EXIT_CALL, () => blockAt(event)) : exits),
  ];
}

/** The lines on which a shell text exits with 2. */
export const exitsIn = (shell: RunText['shell']): number[] =>
  (shell?.commands ?? []).filter(({ words: [first, second] }) => first?.text === 'exit' && second?.text === '2').map(({ line }) => line);
