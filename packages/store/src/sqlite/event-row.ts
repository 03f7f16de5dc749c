import type { DecisionName, EventName, ToolKind } from '@piton/contracts';
import { clockValue } from '../clock.ts';
import type { EventRecord } from '../records.ts';
import type { EventHeader } from '../stored-events.ts';
import type { PlacedBody } from './bodies.ts';
import type { Row, SqlValue } from './database/driver.ts';

/** Texts in the header are truncated. The full text is in the payload. */
const LONGEST_TEXT = 64 * 1024;

export interface RowExtras {
  readonly session: string | null;
  readonly recordedUs: number;
  readonly payload: PlacedBody;
  readonly outcome: PlacedBody;
}

const flag = (value: boolean): number => (value ? 1 : 0);

/** Does not split a surrogate pair. */
function cut(text: string | null): string | null {
  if (text === null || text.length <= LONGEST_TEXT) return text;
  const high = text.charCodeAt(LONGEST_TEXT - 1);
  return text.slice(0, high >= 0xd800 && high < 0xdc00 ? LONGEST_TEXT - 1 : LONGEST_TEXT);
}

/** What the record that supersedes a late one keeps: its identity, position and first time. */
const FIXED = 3;
type Column = readonly [name: string, value: (record: EventRecord, extras: RowExtras) => SqlValue];
const COLUMNS: readonly Column[] = [
  ['event_id', (r) => r.eventId],
  ['session_id', (_, x) => x.session],
  ['recorded_us', (_, x) => x.recordedUs],
  ['agent', (r) => r.envelope.provider],
  ['event', (r) => r.envelope.event],
  ['provider_ref', (r) => r.envelope.providerRef],
  ['project_path', (r) => r.envelope.projectPath],
  ['received_at', (r) => r.envelope.receivedAt],
  ['names', (r) => r.names.join(' ')],
  ['native_event', (r) => r.nativeEvent],
  ['via', (r) => r.via],
  ['late', (r) => flag(r.late)],
  ['derived', (r) => flag(r.derived)],
  ['parent_id', (r) => r.parentId],
  ['depth', (r) => r.depth],
  ['run', (r) => r.run],
  ['boot_id', (r) => r.bootId],
  ['monotonic_us', (r) => clockValue(r.monotonicUs)],
  ['wall_us', (r) => clockValue(r.wallUs)],
  ['pid', (r) => r.pid],
  ['ppid', (r) => r.ppid],
  ['terminal', (r) => flag(r.terminal)],
  ['truncated', (r) => flag(r.truncated)],
  ['payload_size', (r) => r.payloadSize],
  ['sender', (r) => r.sender],
  ['canary', (r) => flag(r.canary)],
  ['tool_name', (r) => r.tool?.name ?? null],
  ['tool_native', (r) => r.tool?.nativeName ?? null],
  ['tool_kind', (r) => r.tool?.kind ?? null],
  ['tool_use_id', (r) => r.tool?.useId ?? null],
  ['tool_command', (r) => cut(r.tool?.command ?? null)],
  ['tool_files', (r) => (r.tool && r.tool.files.length > 0 ? JSON.stringify(r.tool.files) : null)],
  ['source', (r) => r.source],
  ['agent_id', (r) => r.agentId],
  ['transcript_path', (r) => r.transcriptPath],
  ['model', (r) => r.model],
  ['repo', (r) => r.repo],
  ['branch', (r) => r.branch],
  ['problems', (r) => (r.problems.length > 0 ? JSON.stringify(r.problems) : null)],
  ['server_us', (r) => (r.serverUs === null ? null : Math.round(r.serverUs))],
  ['redaction', (r) => r.redaction],
  ['prompt', (r) => cut(r.prompt)],
  ['text', (r) => cut(r.text)],
  ['payload', (_, x) => x.payload.inline],
  ['payload_body', (_, x) => x.payload.body],
  ['outcome', (_, x) => x.outcome.inline],
  ['outcome_body', (_, x) => x.outcome.body],
];

const names = COLUMNS.map(([name]) => name);
export const INSERT_EVENT = `INSERT INTO events (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
export const SUPERSEDE_EVENT = `UPDATE events SET ${names
  .slice(FIXED)
  .map((name) => `${name} = ?`)
  .join(', ')}, expired_us = NULL WHERE seq = ?`;

export const valuesOf = (record: EventRecord, extras: RowExtras): SqlValue[] => COLUMNS.map(([, value]) => value(record, extras));
export const supersedingValues = (record: EventRecord, extras: RowExtras): SqlValue[] => valuesOf(record, extras).slice(FIXED);

/** The hooks that returned what was decided. Of an event without a decision nothing is read. */
const DECIDERS = `CASE WHEN d.decision IS NOT NULL THEN (SELECT json_group_array(DISTINCT r.hook) FROM hook_runs r
  WHERE r.seq = e.seq AND r.said = d.decision AND r.observed = 0) END`;

/** Everything but the bodies; used with `FROM events e LEFT JOIN decisions d USING (seq)`. */
export const HEADER_SELECT = `SELECT e.seq, e.expired_us, ${names
  .filter((name) => !['text', 'payload', 'payload_body', 'outcome', 'outcome_body'].includes(name))
  .map((name) => `e.${name}`)
  .join(', ')}, d.decision, d.reason, ${DECIDERS} AS decided_by FROM events e LEFT JOIN decisions d ON d.seq = e.seq`;

/** Converts a row, as written by this file, to the names of the port. */
export function headerOf(row: Row): EventHeader {
  const text = (name: string): string => row[name] as string;
  const maybe = (name: string): string | null => row[name] as string | null;
  const number = (name: string): number => row[name] as number;
  const yes = (name: string): boolean => row[name] === 1;
  const list = (name: string): string[] => (row[name] === null ? [] : (JSON.parse(text(name)) as string[]));
  const toolName = maybe('tool_name');
  return {
    seq: number('seq'),
    eventId: text('event_id'),
    session: maybe('session_id'),
    agent: text('agent'),
    event: text('event') as EventName,
    names: text('names').split(' ') as EventName[],
    nativeEvent: text('native_event'),
    providerRef: text('provider_ref'),
    projectPath: text('project_path'),
    receivedAt: text('received_at'),
    recordedUs: number('recorded_us'),
    via: text('via'),
    late: yes('late'),
    derived: yes('derived'),
    parentId: maybe('parent_id'),
    depth: number('depth'),
    run: text('run'),
    bootId: text('boot_id'),
    monotonicUs: number('monotonic_us'),
    wallUs: number('wall_us'),
    pid: number('pid'),
    ppid: number('ppid'),
    terminal: yes('terminal'),
    truncated: yes('truncated'),
    payloadSize: number('payload_size'),
    sender: text('sender'),
    canary: yes('canary'),
    tool:
      toolName === null
        ? null
        : {
            name: toolName,
            nativeName: text('tool_native'),
            kind: text('tool_kind') as ToolKind,
            useId: maybe('tool_use_id'),
            command: maybe('tool_command'),
            files: list('tool_files'),
          },
    prompt: maybe('prompt'),
    source: maybe('source'),
    agentId: maybe('agent_id'),
    transcriptPath: maybe('transcript_path'),
    model: maybe('model'),
    problems: list('problems'),
    repo: maybe('repo'),
    branch: maybe('branch'),
    serverUs: row.server_us as number | null,
    redaction: text('redaction'),
    decision: maybe('decision') as DecisionName | null,
    reason: maybe('reason'),
    decidedBy: list('decided_by'),
    expired: row.expired_us !== null,
  };
}
