import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HookCase, hookCaseText } from '@piton/artifacts';
import type { HookDefinition } from '@piton/hooks';
import type { EventDetail } from '@piton/store';
import { subjectOf } from '../events/row.ts';
import { codeOf, Failure } from '../failure.ts';
import { makeDirectories } from '../install/config-file.ts';
import { oneLine } from '../output/text.ts';
import { casesFolder } from './fixtures.ts';

export interface WrongDeny {
  readonly hook: string;
  readonly file: string;
  /** False: it was saved before. */
  readonly written: boolean;
}

/** The hooks that denied an event, or would have. */
export function deniers(event: EventDetail): string[] {
  const before = (event.outcome?.trace ?? [])
    .filter((entry) => entry.did === 'ran' && entry.said.decision === 'deny')
    .map(({ hook }) => hook);
  const later = event.hookRuns.filter(({ observed, said }) => observed && said === 'deny').map(({ hook }) => hook);
  return [...new Set([...before, ...later])];
}

/** The event as a test case in which the hook should make no decision. The stored envelope is redacted. */
export function wrongCase(event: EventDetail, why: string): HookCase {
  if (!event.envelope) throw new Failure(`the payload of ${event.eventId} has expired, so it cannot become a test case`);
  const subject = oneLine(subjectOf(event));
  return {
    name: why === '' ? `does not deny ${subject || event.event}` : why,
    agent: event.agent,
    event: event.event,
    native_event: event.nativeEvent,
    payload: event.envelope.payload,
    cwd: event.projectPath,
    expect: { decision: 'observe' },
  };
}

export function saveWrongDeny(
  config: string,
  hook: Pick<HookDefinition, 'id' | 'scope' | 'root' | 'source'>,
  event: EventDetail,
  why: string,
): WrongDeny {
  const folder = casesFolder(config, hook);
  const file = join(folder, `${event.eventId}.json`);
  makeDirectories(folder, 0o700);
  try {
    writeFileSync(file, hookCaseText(wrongCase(event, why)), { flag: 'wx', mode: 0o600 });
    return { hook: hook.id, file, written: true };
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return { hook: hook.id, file, written: false };
    throw error;
  }
}
