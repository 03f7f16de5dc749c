import type { ConfigResult, Installed } from '@piton/contracts';
import { registrationOf } from './command-line.ts';
import type { Wanted } from './hooks-file/hooks-config.ts';

/** A shell program that is ours as a whole, for agents that run files by their names. */
const SHELL = '#!/bin/sh';
const MARK = '# Piton wrote this file. piton uninstall takes it away.';
/** That of other versions too. */
const IS_MARK = /^# .*Piton wrote this file\b/;
const HEAD = `${SHELL}\n${MARK}\n`;

const lineOf = ({ command }: Wanted): string => ('shell' in command ? command.shell : command.argv.join(' '));
const textOf = (want: Wanted): string => `${HEAD}${lineOf(want)}\n`;

/** Around it stays what a person noted there. */
function withLine(text: string, want: Wanted): string {
  const { agent } = want.registration;
  const lines = text.split('\n');
  const ours = lines.findIndex((line) => registrationOf({ shell: line })?.agent === agent);
  return lines
    .flatMap((line, at) =>
      at === ours ? [lineOf(want)] : registrationOf({ shell: line })?.agent === agent ? [] : [IS_MARK.test(line) ? MARK : line],
    )
    .join('\n');
}

function registeredIn(text: string, agent: string): Installed[] {
  return text.split('\n').flatMap((shell): Installed[] => {
    const registration = registrationOf({ shell });
    return registration?.agent === agent ? [{ registration, command: { shell } }] : [];
  });
}

/** Nothing that runs but the line that we wrote, whichever of our versions did. */
const isOurs = (text: string, agent: string): boolean =>
  registeredIn(text, agent).length > 0 &&
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .every((line) => registrationOf({ shell: line })?.agent === agent);

const nothing = (text: string | null): ConfigResult => ({ ok: true, edit: { text, added: [], removed: [] } });

export const programFile = {
  install(text: string | null, want: Wanted): ConfigResult {
    const wanted = textOf(want);
    if (text !== null && !isOurs(text, want.registration.agent))
      return {
        ok: false,
        error:
          'line 1, column 1: somebody else wrote this program: give it another name or ending, or let Piton run it from a directory of .piton/hooks, then run this again',
      };
    if (text === null) return { ok: true, edit: { text: wanted, added: [want.registration], removed: [] } };
    const now = withLine(text, want);
    if (now === text) return nothing(text);
    return {
      ok: true,
      edit: {
        text: now,
        added: [want.registration],
        removed: registeredIn(text, want.registration.agent).map(({ registration }) => registration),
      },
    };
  },
  /** What somebody wrote into it stays. */
  uninstall(text: string, agent: string): ConfigResult {
    const ours = registeredIn(text, agent);
    if (ours.length === 0) return nothing(text);
    const removed = ours.map(({ registration }) => registration);
    const kept = text.split('\n').filter((line) => !IS_MARK.test(line) && registrationOf({ shell: line })?.agent !== agent);
    const isEmpty = kept.every((line) => line.trim() === '' || line === SHELL);
    return { ok: true, edit: { text: isEmpty ? null : kept.join('\n'), added: [], removed } };
  },
  installed: (text: string, agent: string): readonly Installed[] => registeredIn(text, agent),
};
