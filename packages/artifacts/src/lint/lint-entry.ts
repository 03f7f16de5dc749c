import { EVENTS, type EventName } from '@piton/contracts';
import type { LintFinding } from './finding.ts';
import { lintSubject } from './lint-hook.ts';
import { actionText, scriptText } from './run-texts.ts';
import { type LintWorld, textIn } from './world.ts';

export interface SettingInput {
  readonly file: string;
  readonly entry: Readonly<Record<string, unknown>>;
  lineOf(field: string): number;
  readonly world: LintWorld;
}

/** A hook of a settings file: the same rules, as far as they are not about a folder of its own. */
export function lintSetting({ file, entry, lineOf, world }: SettingInput): readonly LintFinding[] {
  const reading = world.readEntry(entry);
  const command = textIn(entry, 'command');
  const texts = command === undefined ? [] : [actionText(file, lineOf('command'), command)];
  const event = EVENTS.find((each) => each === reading.event);
  return lintSubject({ way: 'setting', file, entry, reading, event, lineOf, nameOf: (field) => field, texts }, world);
}

export interface ExecutableInput {
  readonly file: string;
  readonly event: EventName;
  readonly executable: boolean;
  /** Null where it is no text. */
  readonly text: string | null;
  readonly world: LintWorld;
}

/** A program in a directory of an event: what it says can be read, if it is a script. */
export function lintExecutable({ file, event, executable, text, world }: ExecutableInput): readonly LintFinding[] {
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
  const found = lintSubject(subject, world);
  if (executable) return found;
  const what = 'it is not executable, so it does not run';
  return [{ severity: 'error', rule: 'script.not-executable', file, line: 1, what, remedy: `chmod +x "${file}"` }, ...found];
}
