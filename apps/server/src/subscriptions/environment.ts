import { dirname, join } from 'node:path';
import { checkpointRef } from '@piton/checkpoints';
import { ENVIRONMENT_VALUE_LIMIT, type PitonEvent } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { cleanEnvironment } from '@piton/hooks';

/** The fields of stdin as variables, for scripts that read no JSON. A null field is not set. */
export function subscriptionEnvironment(event: PitonEvent): Record<string, string> {
  const all: Record<string, string | null> = {
    PITON_EVENT: event.event,
    PITON_EVENT_ID: event.id,
    PITON_CHECKPOINT_ID: event.checkpoint_id,
    PITON_CHECKPOINT_REF: event.checkpoint_id === null ? null : checkpointRef(event.checkpoint_id),
    PITON_COMMIT_SHA: event.commit_sha,
    PITON_SESSION_ID: event.session_id,
    PITON_AGENT: event.agent,
    PITON_BRANCH: event.branch,
    PITON_REPO: event.repo,
  };
  const present = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null);
  const fits = ([, value]: [string, string]): boolean => Buffer.byteLength(value) <= ENVIRONMENT_VALUE_LIMIT && !value.includes('\0');
  const omitted = present.filter((pair) => !fits(pair)).map(([name]) => name);
  return { ...Object.fromEntries(present.filter(fits)), ...(omitted.length > 0 && { PITON_OMITTED: omitted.join(',') }) };
}

/** `piton` in what is started here must use the same home. The server itself was started without these variables. */
export function runEnvironment({ home, config }: Pick<Places, 'home' | 'config'>): Record<string, string> {
  const clean = cleanEnvironment();
  const parent = dirname(home);
  if (home === join(parent, 'state') && config === join(parent, 'config')) return { ...clean, PITON_HOME: parent };
  const { XDG_CONFIG_HOME, XDG_STATE_HOME } = process.env;
  return { ...clean, ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }), ...(XDG_STATE_HOME && { XDG_STATE_HOME }) };
}
