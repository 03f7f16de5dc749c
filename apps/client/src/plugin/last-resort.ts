import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import type { Line } from './call.ts';

const LIMIT = 1024 * 1024;

interface Undecided {
  readonly registration: Pick<Line, 'agent' | 'nativeEvent'>;
  readonly places: Pick<Places, 'environment'>;
}

/** The native deny that the server keeps for this registration while a hook must hold there. */
export function findDeny({ registration, places }: Undecided): Buffer | undefined {
  const { agent, nativeEvent } = registration;
  if (agent.includes('/') || nativeEvent.includes('/')) return undefined;
  try {
    const deny = readFileSync(join(places.environment, 'deny', `${agent}.${nativeEvent}`));
    return deny.length < LIMIT ? deny : undefined;
  } catch {
    return undefined;
  }
}
