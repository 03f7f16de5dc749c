import type { NamedFiles } from '../authors/named-files.ts';
import type { TreeSession } from '../turns/messages.ts';
import { Sessions } from '../turns/session-work.ts';
import { isUnnamedCall } from '../turns/turn-repositories.ts';

type Where = Pick<TreeSession, 'directory' | 'session'>;

interface OpenCall extends NamedFiles {
  /** It goes on after its end was reported. */
  readonly stays: boolean;
}

/** What calls name that have not ended, so that it can be read in the moment in which they do. */
export class OpenNames {
  readonly #sessions = new Sessions<Map<string, OpenCall>>();

  begins(where: Where, key: string, call: NamedFiles & { readonly stays?: true | undefined }): void {
    if (call.files.length + call.patterns.length === 0) return;
    const calls = this.#sessions.get(sessionOf(where)) ?? new Map<string, OpenCall>();
    this.#sessions.set(sessionOf(where), calls.set(key, { files: call.files, patterns: call.patterns, stays: call.stays === true }));
  }

  /** One call and what it named, or with null all calls of the session. '': one of those without an id. */
  ends(where: Where, key: string | null): readonly (readonly [key: string, named: OpenCall])[] {
    const calls = this.#sessions.get(sessionOf(where));
    const over = this.over(where, key);
    for (const [each] of over) calls?.delete(each);
    if (calls?.size === 0) this.#sessions.delete(sessionOf(where));
    return over;
  }

  /** What `ends` would find. */
  over(where: Where, key: string | null): (readonly [key: string, call: OpenCall])[] {
    const calls = this.#sessions.get(sessionOf(where)) ?? [];
    return [...calls].filter(([each, { stays }]) => key === null || (isCall(each, key) && !stays));
  }
}

const sessionOf = ({ directory, session }: Where): string => [directory, session].join('\0');

/** Does the end of `key` end this call? */
export const isCall = (call: string, key: string): boolean => call === key || (key === '' && isUnnamedCall(call));
