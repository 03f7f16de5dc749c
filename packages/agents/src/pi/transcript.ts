import { piSessions } from '../shared/pi-api/sessions.ts';

export const transcript = piSessions('pi-jsonl');
