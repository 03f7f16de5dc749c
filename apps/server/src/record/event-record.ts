import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { factsOf } from '@piton/context';
import { type CanonicalEvent, ENVELOPE_VERSION, type Envelope, type EventName, type Frame, ulid, ulidTime, viaOf } from '@piton/contracts';
import { type AgentFor, decodeEvent, type FrameOutcome } from '@piton/lifecycle';
import type { Redacted, Redactor } from '@piton/redact';
import type { EventRecord } from '@piton/store';

/** One event as the store keeps it: the header and a redacted copy of the payload. */
export function recordOf(frame: Frame, frameOutcome: FrameOutcome, agentFor: AgentFor, redactor: Redactor): EventRecord[] {
  const { event, agent } = decodeEvent(frame, agentFor, homedir());
  const decided = frameOutcome.kind === 'decided' ? frameOutcome : undefined;
  const first = headerOf(frame, decided ? completed(event, decided) : event, redactor);
  const facts =
    frameOutcome.kind === 'canary' ? [] : factsOf(event, decided?.outcome ?? null, { endsInTranscript: agent?.endsInTranscript === true });
  const record: EventRecord = {
    ...first,
    late: frameOutcome.kind === 'late' || decided?.standIn === true,
    canary: frameOutcome.kind === 'canary',
    depth: decided?.depth ?? 0,
    parentId: decided?.parent ?? null,
    repo: decided?.repo ?? null,
    branch: redactedText(decided?.branch ?? undefined, redactor),
    outcome: decided ? redactor.value(decided.outcome) : null,
    ledger: redactor.value(facts),
    serverUs: decided?.serverUs ?? null,
  };
  return [record, ...(decided?.derived ?? []).map((name) => derivedFrom(record, name, redactor))];
}

/** Adds what the server knew about an event beyond its payload. */
function completed(event: CanonicalEvent, { useId, continuation, caller }: Extract<FrameOutcome, { kind: 'decided' }>): CanonicalEvent {
  return {
    ...event,
    ...(event.tool && useId !== undefined && { tool: { ...event.tool, useId } }),
    ...(continuation && { source: 'continuation' }),
    ...(caller !== undefined && { problems: [...(event.problems ?? []), `run by the program ${caller}`] }),
  };
}

/** A prompt that a person did not write begins no turn. */
const sourceOf = ({ event, source, agentId }: CanonicalEvent): string | undefined =>
  event === 'user_prompt_submit' && agentId !== undefined ? 'subagent' : source;

const redactedText = (text: string | undefined, redactor: Redactor): Redacted<string> | null =>
  text === undefined ? null : redactor.text(text);

function headerOf(frame: Frame, event: CanonicalEvent, redactor: Redactor) {
  const envelope: Envelope = {
    schemaVersion: ENVELOPE_VERSION,
    provider: event.agent,
    event: event.event,
    providerRef: event.sessionId,
    projectPath: event.cwd,
    receivedAt: new Date(Number(frame.wallUs / 1000n)).toISOString(),
    payload: event.raw,
  };
  const { tool } = event;
  return {
    eventId: frame.stamp,
    nativeEvent: event.nativeEvent,
    via: viaOf(frame),
    derived: false,
    run: frame.run,
    bootId: frame.bootId,
    monotonicUs: frame.monotonicUs,
    wallUs: frame.wallUs,
    pid: frame.pid,
    ppid: frame.ppid,
    terminal: frame.terminal,
    truncated: frame.truncated,
    payloadSize: frame.payloadSize,
    sender: frame.sender,
    names: event.names,
    tool: tool
      ? redactor.value({
          name: tool.name,
          nativeName: tool.nativeName,
          kind: tool.kind,
          useId: tool.useId ?? null,
          command: tool.command ?? null,
          files: tool.files,
        })
      : null,
    prompt: redactedText(event.prompt, redactor),
    source: redactedText(sourceOf(event), redactor),
    agentId: redactedText(event.agentId, redactor),
    parentRef: redactedText(event.parentSessionId, redactor),
    transcriptPath: redactedText(event.transcriptPath, redactor),
    text: redactedText(event.text, redactor),
    model: redactedText(event.model, redactor),
    problems: redactor.value(event.problems ?? []),
    envelope: redactor.value(envelope),
    redaction: redactor.version,
  };
}

/** An event that the agent does not fire itself, such as the tool failure after our deny. Its id is derived from its cause, so a replay makes no second one. */
function derivedFrom(cause: EventRecord, name: EventName, redactor: Redactor): EventRecord {
  const random = createHash('sha256').update(`${cause.eventId}:${name}`).digest();
  return {
    ...cause,
    eventId: ulid(ulidTime(cause.eventId), random),
    derived: true,
    parentId: cause.eventId,
    names: [name],
    envelope: redactor.value({ ...cause.envelope, event: name }),
    outcome: null,
    ledger: redactor.value([]),
    serverUs: null,
  };
}
