import { AGENTS } from '@piton/agents';
import { event } from '../packages/store/test/records.ts';

export { createRedactor } from '@piton/redact';
export { openStore } from '@piton/store';
export { TranscriptReader } from '../apps/server/src/transcripts/reader.ts';

export const [claude] = AGENTS;
/** The event that a session begins with. */
export const seedRecord = () => event(1, { event: 'session_start' });
