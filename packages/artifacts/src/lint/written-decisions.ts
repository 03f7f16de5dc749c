import type { DecisionName, EventName } from '@piton/contracts';
import type { RunText } from './context.ts';

export type WrittenDecision = Exclude<DecisionName, 'observe'>;
export interface DecisionAt {
  readonly decision: WrittenDecision;
  /** Counted from the first line of the text. */
  readonly line: number;
}

const BEFORE_TOOL: readonly EventName[] = ['pre_tool_use', 'pre_shell_execution', 'pre_mcp_execution', 'pre_read_file', 'pre_file_edit'];
const AT_STOP: readonly EventName[] = ['stop', 'subagent_stop'];

/** What `block` and exit 2 mean at an event; undefined if nothing. */
export function blockAt(event: EventName): WrittenDecision | undefined {
  if (BEFORE_TOOL.includes(event) || event === 'user_prompt_submit' || event === 'pre_compact') return 'deny';
  return AT_STOP.includes(event) ? 'continue' : undefined;
}

/** Between the name of a field and its value, in JSON, in a quoted text or in a program. */
const IS = '["\'\\\\\\s]*[:=]["\'\\\\\\s]*';
const PERMISSION = new RegExp(`permissionDecision${IS}(allow|deny|ask)\\b`, 'g');
const DECISION = new RegExp(`(?<![A-Za-z])decision${IS}(approve|allow|block|deny|ask|modify|rewrite|replace|continue)\\b`, 'g');
const FIELDS: readonly (readonly [RegExp, WrittenDecision])[] = [
  [/\bupdatedInput\b/g, 'modify'],
  [/\bupdated(?:MCP)?ToolOutput\b/g, 'rewrite'],
  [/\badditionalContext\b/g, 'replace'],
];
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
    ...FIELDS.flatMap(([pattern, written]) =>
      found(pattern, () => (written === 'replace' && AT_STOP.includes(event) ? 'continue' : written)),
    ),
    ...(shell === undefined ? found(EXIT_CALL, () => blockAt(event)) : exits),
  ];
}

/** The lines on which a shell text exits with 2. */
export const exitsIn = (shell: RunText['shell']): number[] =>
  (shell?.commands ?? []).filter(({ words: [first, second] }) => first?.text === 'exit' && second?.text === '2').map(({ line }) => line);
