import type { CanonicalEvent, Frame } from '@piton/contracts';
import { type HookDefinition, plan } from '@piton/hooks';
import type { LifecyclePorts } from '../ports.ts';
import { inTime } from './in-time.ts';

/** The store may be busy. A hook that gets no transcript runs as if the agent had none, as it does without a server. */
const PATIENCE_MS = 2000;

/** The hooks that may want a transcript here: none where the agent names one, or its session has no name. */
export function hooksWithoutTranscript(
  { hooksFor, transcripts }: LifecyclePorts,
  event: CanonicalEvent,
  frame: Frame,
): readonly HookDefinition[] {
  if (transcripts.forHooks === undefined || event.transcriptPath !== undefined || event.sessionId === '' || frame.canary !== '') return [];
  const { deciding, observing } = plan(event, hooksFor(event, frame));
  return [...deciding, ...observing].filter(({ builtIn, native }) => builtIn === undefined && !native);
}

/** The event with the path of a transcript in the form of Claude Code, if one of the hooks reads it. */
export async function withTranscript(
  { transcripts, toolCalls }: LifecyclePorts,
  event: CanonicalEvent,
  frame: Frame,
  hooks: readonly HookDefinition[],
): Promise<CanonicalEvent> {
  const written =
    transcripts.forHooks && (await inTime(PATIENCE_MS, transcripts.forHooks(toolCalls.peek(event, frame.stamp), frame, hooks)));
  return written === undefined
    ? event
    : { ...event, portable: { ...event.portable, transcript_path: written.path }, writtenTranscript: written.format };
}
