import type { ConfigResult, Installed } from '@piton/contracts';
import { registrationOf } from './command-line.ts';
import type { Wanted } from './hooks-file/hooks-config.ts';

/** A shell program that is ours as a whole, for agents that run files by their names. */
const HEAD = '#!/bin/sh\n# Piton wrote this file. piton uninstall takes it away.\n';

const textOf = ({ command }: Wanted): string => `${HEAD}${'shell' in command ? command.shell : command.argv.join(' ')}\n`;

function registeredIn(text: string, agent: string): Installed[] {
  return text.split('\n').flatMap((shell): Installed[] => {
    const registration = registrationOf({ shell });
    return registration?.agent === agent ? [{ registration, command: { shell } }] : [];
  });
}

/** Nothing in it but the line that we wrote, whichever of our versions did. */
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
    if (text === wanted) return nothing(text);
    if (text !== null && !isOurs(text, want.registration.agent))
      return {
        ok: false,
        error:
          'line 1, column 1: somebody else wrote this program: give it another name or ending, or let Piton run it from a directory of .piton/hooks, then run this again',
      };
    const removed = text === null ? [] : registeredIn(text, want.registration.agent).map(({ registration }) => registration);
    return { ok: true, edit: { text: wanted, added: [want.registration], removed } };
  },
  /** What somebody wrote into it stays. */
  uninstall(text: string, agent: string): ConfigResult {
    const ours = registeredIn(text, agent);
    if (ours.length === 0) return nothing(text);
    const removed = ours.map(({ registration }) => registration);
    if (isOurs(text, agent)) return { ok: true, edit: { text: null, added: [], removed } };
    const kept = text.split('\n').filter((line) => registrationOf({ shell: line })?.agent !== agent);
    return { ok: true, edit: { text: kept.join('\n'), added: [], removed } };
  },
  installed: (text: string, agent: string): readonly Installed[] => registeredIn(text, agent),
};
