import { createRedactor } from '@piton/redact';
import { keyForLogs } from '../record/live-redactor.ts';

/** The last line of a server that fails. It may quote a payload, as JSON errors do, and it goes to the log, so it is redacted. */
export function fatalMessage(home: string | undefined, why: string): string {
  const text = home === undefined ? why : createRedactor({ key: keyForLogs(home) }).text(why);
  return `${new Date().toISOString()} piton server: ${text}\n`;
}
