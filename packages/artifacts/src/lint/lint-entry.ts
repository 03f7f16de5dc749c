import { EVENTS, type EventName } from '@piton/contracts';
import { type LintContext, textIn } from './context.ts';
import type { LintFinding } from './finding.ts';
import { lintSubject } from './lint-hook.ts';
import { actionText, scriptText } from './run-texts.ts';

export interface SettingInput {
  readonly file: string;
  readonly entry: Readonly<Record<string, unknown>>;
  lineOf(field: string): number;
  readonly context: LintContext;
}

/** A hook in a settings file: the same rules, except those about its folder. */
export function lintSetting({ file, entry, lineOf, context }: SettingInput): readonly LintFinding[] {
  const reading = context.readEntry(entry);
  const command = textIn(entry, 'command');
  const texts = command === undefined ? [] : [actionText(file, lineOf('command'), command)];
  const event = EVENTS.find((each) => each === reading.event);
  return lintSubject({ way: 'setting', file, entry, reading, event, lineOf, nameOf: (field) => field, texts }, context);
}

export interface ExecutableInput {
  readonly file: string;
  readonly event: EventName;
  readonly executable: boolean;
  /** Null if it is not text. */
  readonly text: string | null;
  readonly context: LintContext;
}

/** A program in the directory of an event. Its text is checked if it is a script. */
export function lintExecutable({ file, event, executable, text, context }: ExecutableInput): readonly LintFinding[] {
  const reading = { event, wrong: [], unknown: [] };
  const texts = text === null ? [] : [scriptText(file, text)];
  const subject = {
    way: 'executable',
    file,
    entry: { event },
    reading,
    event,
    lineOf: () => 1,
    nameOf: (field: string) => field,
    texts,
  } as const;
  const found = lintSubject(subject, context);
  if (executable) return found;
  const what = 'it is not executable, so it does not run';
  return [{ severity: 'error', rule: 'script.not-executable', file, line: 1, what, remedy: `chmod +x "${file}"` }, ...found];
}
