import { resolve } from 'node:path';
import type { CanonicalEvent } from '@piton/contracts';
import type { NamedFiles } from '../../authors/named-files.ts';
import { OpenNames } from '../../waiting/open-names.ts';
import type { CallMade } from '../messages.ts';
import { callOf } from '../turn-repositories.ts';
import { ENDS_CALL, namesItsFiles } from './call-effect.ts';

/** What is over with an event. */
export interface Ending {
  /** Null: all calls of the session. */
  readonly key: string | null;
  /** Absolute: what the end itself says that the call has changed. */
  readonly files: readonly string[];
  /** What is known of these calls. */
  readonly named: readonly NamedFiles[];
}

/** Which events end calls that name files: nobody else has to wait. */
export class EndingCalls {
  readonly #named = new OpenNames();

  begins(event: CanonicalEvent, call: CallMade): void {
    this.#named.begins(anywhere(event), call.key, call);
  }

  ends(event: CanonicalEvent, key: string | null): void {
    this.#named.ends(anywhere(event), key);
  }

  /** Null: none. */
  of(event: CanonicalEvent): Ending | null {
    const ending = event.sessionId === '' ? null : endingOf(event);
    if (ending === null) return null;
    const known = this.#named.over(anywhere(event), ending.key);
    // As the thread that has seen the call begin takes it: what the end says is for one that has not.
    if (known.length > 0) return { ...ending, named: known.map(([, named]) => named) };
    return ending.files.length > 0 ? { ...ending, named: [{ files: ending.files, patterns: [] }] } : null;
  }
}

/** Wherever the session is. */
const anywhere = ({ sessionId }: CanonicalEvent) => ({ directory: '', session: sessionId });

/** As the tracker takes it after the answer: an end that does not come would have been read in vain. */
function endingOf({ event, tool, cwd, agentId, prompt }: CanonicalEvent): Omit<Ending, 'named'> | null {
  const isPrompt = event === 'user_prompt_submit' && agentId === undefined && Boolean(prompt);
  if (isPrompt || event === 'session_end' || (event === 'stop' && agentId === undefined)) return { key: null, files: [] };
  if (!ENDS_CALL.has(event)) return null;
  const edited = tool !== undefined && namesItsFiles(tool) ? tool.files : [];
  return { key: callOf(tool), files: edited.map((file) => resolve(cwd, file)) };
}
