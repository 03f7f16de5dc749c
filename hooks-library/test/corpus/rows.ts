import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expandText, type Fill } from './expand.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

export const GUARDS = ['block-destructive-commands', 'protect-paths', 'scan-secrets-before-write'] as const;
export type Guard = (typeof GUARDS)[number];

/** A line of a data file: commands, or inputs of a tool, of one class. */
interface Line {
  readonly class: string;
  readonly is: 'attack' | 'harmless';
  readonly commands?: readonly string[];
  readonly tool?: string;
  readonly kind?: 'edit' | 'mcp' | 'other';
  readonly inputs?: readonly Readonly<Record<string, unknown>>[];
}

export interface Row {
  readonly guard: Guard;
  readonly class: string;
  readonly isAttack: boolean;
  /** Written after the rules, so that they could not be made to fit. */
  readonly isLater: boolean;
  readonly tool: { readonly kind: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> };
}

export const rowsOf = (guard: Guard): Row[] => [...rowsIn(guard, false), ...rowsIn(guard, true)];

function rowsIn(guard: Guard, isLater: boolean): Row[] {
  const file = join(HERE, `${guard}${isLater ? '-later' : ''}.jsonl`);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.flatMap((text, number) => {
    const line = JSON.parse(text) as Line;
    const base = { guard, class: line.class, isAttack: line.is === 'attack', isLater };
    const commands = (line.commands ?? []).flatMap((command, at) =>
      expandText(command, number + at).map((filled) => ({
        ...base,
        tool: { kind: 'shell', name: 'Bash', input: { command: filled(command) } },
      })),
    );
    const inputs = (line.inputs ?? []).flatMap((input, at) =>
      expandText(JSON.stringify(input), number + at).map((filled) => ({
        ...base,
        tool: { kind: line.kind ?? 'edit', name: line.tool ?? 'Write', input: filledIn(input, filled) as Record<string, unknown> },
      })),
    );
    return [...commands, ...inputs];
  });
}

/** Every string of the input, filled in. */
function filledIn(value: unknown, fill: Fill): unknown {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((each) => filledIn(each, fill));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each, fill)]));
}
