import type { NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

/** The form of an answer, as the program reads it. */
export interface ClineAnswer {
  readonly cancel?: boolean;
  readonly errorMessage?: string;
  readonly contextModification?: string;
  readonly overrideInput?: { readonly commands?: unknown; readonly path?: unknown };
}

/** A call that cannot do anything, whatever it was before. */
function fails({ commands, path }: NonNullable<ClineAnswer['overrideInput']>): boolean {
  if (typeof path === 'string' && path.startsWith('/dev/null/')) return true;
  return Array.isArray(commands) && commands.length === 1 && /^echo '[^']*' >&2; exit 1$/.test(String(commands[0]));
}

/** What Cline does with a hook's output, written from its program text and what was seen. Shares nothing with the encoder. */
export function readAnswer({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect {
  if (exitCode !== 0 || stderr !== '') throw new Error('only exit 0 with a silent stderr is part of our dealings');
  if (stdout === '') return {};
  const answer = JSON.parse(stdout) as ClineAnswer;
  if (event !== 'PreToolUse' && event !== 'PostToolUse') return {}; // detached: nobody reads it
  if (answer.cancel === true) return event === 'PreToolUse' ? { denied: answer.errorMessage ?? '' } : {};
  const context = answer.contextModification;
  if (event === 'PreToolUse' && answer.overrideInput !== undefined) {
    if (fails(answer.overrideInput)) return { denied: context ?? '' };
    const { commands, ...rest } = answer.overrideInput;
    // Given in the words of the portable input, which the suite speaks.
    return { input: Array.isArray(commands) ? { command: commands.join('\n'), ...rest } : rest, ...(context !== undefined && { context }) };
  }
  return context === undefined ? {} : { context };
}
