import { type CanonicalEvent, exactJson, TOOL_KINDS, type Tool, type ToolKind, withoutMark } from '@piton/contracts';
import { pathMatch, type TextMatch, textMatch } from './text-match.ts';

/** A name, a glob, `A|B` or `/a regular expression/`; of a list one must fit. */
export type Patterns = string | readonly string[];

/** What must be so for a hook to run, besides its event and matcher. Every condition must hold. */
export interface When {
  readonly kind?: ToolKind | readonly ToolKind[];
  /** Of a shell tool. */
  readonly command?: Patterns;
  /** One of the files that the tool reads or writes. */
  readonly file?: Patterns;
  /** Why a session started or ended, or a compaction began. */
  readonly source?: Patterns;
  /** Fields of the tool's input by name; what is no text is compared as JSON. */
  readonly input?: Readonly<Record<string, Patterns>>;
}

const KEYS = ['kind', 'command', 'file', 'source', 'input'];

/** Why conditions cannot be used, or undefined. */
export function whenProblem(when: unknown): string | undefined {
  if (when === undefined) return undefined;
  if (!isObject(when)) return '"when" is not an object';
  const unknown = Object.keys(when).find((key) => !KEYS.includes(key));
  // A condition that has no effect would let a hook run where it must not.
  if (unknown !== undefined) return `"when" has no condition "${unknown}". Known: ${KEYS.join(', ')}`;
  const { kind, input, ...texts } = when;
  const strange = listOf(kind).find((one) => !(TOOL_KINDS as readonly unknown[]).includes(one));
  if (strange !== undefined) return `"when.kind" is ${JSON.stringify(strange)}. Known: ${TOOL_KINDS.join(', ')}`;
  if (input !== undefined && !isObject(input)) return '"when.input" is not an object';
  const all = [...Object.entries(texts), ...Object.entries(input ?? {}).map(([field, value]) => [`input.${field}`, value] as const)];
  for (const [name, patterns] of all) {
    const problem = patternsProblem(patterns, name === 'file' ? pathMatch : textMatch);
    if (problem !== undefined) return `"when.${name}": ${problem}`;
  }
  return undefined;
}

function patternsProblem(patterns: unknown, compile: (written: string) => TextMatch): string | undefined {
  if (patterns === undefined) return undefined;
  const list = listOf(patterns);
  if (list.length === 0) return 'it is empty';
  for (const one of list) {
    if (typeof one !== 'string' || one === '') return 'it is not a string or a list of strings';
    const compiled = compile(one);
    if (!compiled.ok) return compiled.problem;
  }
  return undefined;
}

export function whenHolds(when: When, event: CanonicalEvent, failClosed: boolean): boolean {
  const { tool } = event;
  if (when.source !== undefined && !fits(when.source, event.source)) return false;
  if (when.kind === undefined && when.command === undefined && when.file === undefined && when.input === undefined) return true;
  // The tool is unknown (a payload that was cut): a policy runs, other hooks do not.
  return tool === undefined ? failClosed : toolFits(when, tool, failClosed);
}

/** Could it hold after a change of the tool's input? Kind and source stay what they are. */
export function whenCouldHold({ kind, source, ...rest }: When, event: CanonicalEvent): boolean {
  const fixed = { ...(kind !== undefined && { kind }), ...(source !== undefined && { source }) };
  return Object.keys(rest).length > 0 && event.tool !== undefined && whenHolds(fixed, event, false);
}

function toolFits(when: When, tool: Tool, failClosed: boolean): boolean {
  const { kind, command, file, input } = when;
  if (kind !== undefined && !listOf(kind).includes(tool.kind)) return false;
  if (command !== undefined && !fits(command, tool.command)) return false;
  if (file !== undefined && !tool.files.some((_, at) => formsOf(tool, at).some((path) => path === null || fits(file, path, pathMatch))))
    return false;
  return Object.entries(input ?? {}).every(([field, patterns]) => {
    if (!Object.hasOwn(tool.input, field)) return false;
    const text = textOf(tool.input[field]);
    return text === undefined ? failClosed : fits(patterns, text);
  });
}

/** A file by every name that it may have; null: nobody knows where its links lead, so it may be anything. */
const formsOf = ({ files, otherForms, resolved }: Tool, at: number): readonly (string | null | undefined)[] => [
  files[at],
  ...(otherForms?.[at] ?? []),
  ...(resolved ? [resolved[at]] : []),
];

/** Does the condition on files hold for every name that each may have? Only then may a hook allow or change the call. */
export const fileHoldsThroughout = ({ file }: When, tool: Tool | undefined): boolean =>
  file === undefined ||
  tool === undefined ||
  tool.files.every((_, at) => formsOf(tool, at).every((path) => typeof path === 'string' && fits(file, path, pathMatch)));

/** Undefined where no text can be made of it: it is nested too deeply. */
function textOf(value: unknown): string | undefined {
  try {
    return typeof value === 'string' ? withoutMark(value) : exactJson(JSON.stringify(value) ?? '');
  } catch {
    return undefined;
  }
}

function fits(patterns: Patterns, text: string | undefined, compile = textMatch): boolean {
  if (text === undefined) return false;
  return listOf(patterns).some((one) => {
    const compiled = compile(one);
    return compiled.ok && compiled.test(text);
  });
}

const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T];
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
