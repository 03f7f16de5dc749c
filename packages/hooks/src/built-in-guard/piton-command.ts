/** The command, as a program, a package or the file behind it. */
const NAMES = /(?:^|\/)piton(?:\.[cm]?js|@[\w.^~-]+)?$|\/?piton[^/]*\/(?:[^/]+\/)*cli\.mjs$/;

export const isPitonCommand = (program: string): boolean => program.length < 4096 && NAMES.test(program);

/** The variable that lets `--yes` count under an agent. */
export const LIFTING_VARIABLE = 'PITON_ALLOW_UNDER_AGENT';

const CHANGES_SETTINGS = new Set(['set', 'unset', 'edit']);

/** What of Piton's command is for a person alone, by the words behind its name. Undefined: an agent may run it. */
export function personsCommand(words: readonly string[]): string | undefined {
  const [command, sub] = words.filter((word) => !word.startsWith('-'));
  const asks = words.some((word) => word === '--help' || word === '-h' || word === '--list');
  if (asks) return undefined;
  switch (command) {
    case 'trust':
    case 'untrust':
      // Without a yes it only lists.
      return words.includes('--json') && !words.includes('--yes') ? undefined : `piton ${command}`;
    case 'uninstall':
      return 'piton uninstall';
    case 'settings':
      return sub !== undefined && CHANGES_SETTINGS.has(sub) ? `piton settings ${sub}` : undefined;
    case 'server':
      return sub === 'stop' ? 'piton server stop' : undefined;
    default:
      return undefined;
  }
}
