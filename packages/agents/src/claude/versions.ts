import { type AgentVersions, compareVersions, type Installed, type NativeEvent } from '@piton/contracts';
import { isKnownTo } from '../shared/version-class.ts';
import { EVENTS } from './events.ts';

export const ARGS_SINCE = '2.1.139';

export const versions: AgentVersions = {
  oldest: '2.1.72',
  told: { transcript: ['version'] },
  differences: [
    {
      below: ARGS_SINCE,
      behaviour: '`args` of a hook is ignored: the command runs without them, and nothing arrives.',
      answer: 'The registration is one command line, for a shell.',
    },
    {
      below: '2.1.88',
      behaviour: 'An event that it does not know voids the whole file, permissions included.',
      answer:
        'Only events that it knows are registered: `PermissionDenied` since 2.1.88, `StopFailure` since 2.1.78, `PostCompact` since 2.1.76.',
    },
  ],
};

export const takesArgs = (version: string | undefined): boolean => version === undefined || compareVersions(version, ARGS_SINCE) >= 0;

/** What this version makes of what stands in its settings. */
export function asRun(
  { command }: Installed,
  all: readonly Installed[],
  version: string,
): Installed['command'] | { readonly never: string } {
  const strange = all.map(({ registration }) => registration.nativeEvent).filter((name) => !isKnownTo(eventCalled(name), version));
  if (strange.length > 0) return { never: `Claude Code ${version} does not know ${strange.join(', ')}, and ignores the whole file for it` };
  if ('argv' in command && !takesArgs(version)) return { shell: command.argv[0] ?? '' };
  return command;
}

const eventCalled = (name: string): Pick<NativeEvent, 'since'> => EVENTS.find((event) => event.name === name) ?? {};
