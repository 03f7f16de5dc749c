import { createRedactor } from '@piton/redact';
import { keyForLogs } from '../record/live-redactor.ts';

/** What a server that ends says of it. It may quote a payload, as errors of JSON do, and the log keeps it: it is redacted. */
export function fatalMessage(home: string | undefined, why: string): string {
  const words = home === undefined ? why : createRedactor({ key: keyForLogs(home) }).text(why);
  return `${new Date().toISOString()} piton server: ${words}\n`;
}
