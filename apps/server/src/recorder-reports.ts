import { rmSync } from 'node:fs';
import type { ContextHooks } from './context/context-hooks.ts';
import type { Journal } from './journal/journal.ts';
import type { FromRecorder } from './record/recorder-messages.ts';
import type { ServerState } from './state.ts';
import type { EventPublisher } from './subscriptions/event-publisher.ts';
import { sessionFired } from './subscriptions/fired.ts';

export interface ReportPorts {
  readonly state: ServerState;
  readonly journal: Journal;
  readonly publisher: EventPublisher;
  readonly context: ContextHooks;
  readonly reportProblem: (what: string, remedy: string) => void;
  readonly retire: () => void;
}

/** What the recorder's thread reports. */
export function handleRecorderReport(ports: ReportPorts, message: FromRecorder): void {
  const { state, journal, publisher, reportProblem } = ports;
  if (message.kind === 'stored') {
    state.counts.stored += message.events;
    state.counts.late += message.late;
  } else if (message.kind === 'problem') reportProblem(message.what, message.remedy);
  else if (message.kind === 'segment-done') journal.remove(message.segment);
  else if (message.kind === 'drained') state.drainedAt ??= Date.now();
  else if (message.kind === 'replayed') {
    rmSync(message.directory, { recursive: true, force: true });
    state.replaying.delete(message.directory);
  } else if (message.kind === 'store') handleStoreState(ports, message);
  else if (message.kind === 'session') publisher.fire(sessionFired(message.change));
  else if (message.kind === 'undelivered') publisher.fire(message.fired);
  else if (message.kind === 'overview') ports.context.received(message.overview, message.id);
  else if (message.kind === 'handoff') ports.context.receivedHandoff(message.id, message.text);
}

function handleStoreState({ state, reportProblem, retire }: ReportPorts, message: FromRecorder & { kind: 'store' }): void {
  if (!message.ok) {
    state.store = { ok: false, problem: message.problem, error: message.error };
    reportProblem(`cannot use the store: ${message.error}`, 'run piton doctor. Events stay in the journal');
    // A process that has had a damaged file open cannot safely set it aside; the next one can.
    if (message.problem === 'corrupt') retire();
  } else {
    state.store = { ok: true };
    if (message.movedTo)
      reportProblem(`a damaged store was moved to ${message.movedTo}`, 'a new one was created. Keep the old file if you want its events');
  }
}
