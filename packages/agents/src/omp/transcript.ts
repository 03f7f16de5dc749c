import { piSessions } from '../shared/pi-api/sessions.ts';

export const transcript = piSessions('omp-jsonl');
