import type { Places } from '@piton/contracts/places';
import { type Permission, trust } from '@piton/hooks';
import { hooksChanged } from '../last-resort.ts';
import { type ProjectHook, trustPorts } from './pending.ts';

export interface Granted {
  readonly trusted: readonly {
    readonly id: string;
    readonly may: readonly Permission[];
    /** It had these permissions before, and none was added. */
    readonly kept: boolean;
  }[];
  readonly refused: readonly { readonly id: string; readonly why: string }[];
}

/** Trusts what was shown, by its hash: a change after that is refused. Earlier permissions stay. */
export async function grant(places: Places, chosen: readonly ProjectHook[], given: readonly Permission[]): Promise<Granted> {
  const results = chosen.map(({ root, hook }) => {
    const may = [...new Set([...hook.may, ...given])].sort();
    const result = trust(trustPorts(places), root, [{ id: hook.id, hash: hook.hash }], { at: new Date().toISOString(), may });
    return { refused: result.refused, trusted: result.trusted.map((id) => ({ id, may, kept: given.length === 0 && may.length > 0 })) };
  });
  await hooksChanged(places);
  return { trusted: results.flatMap((result) => result.trusted), refused: results.flatMap((result) => result.refused) };
}
