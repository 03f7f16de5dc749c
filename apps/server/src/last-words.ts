import { createRedactor } from '@piton/redact';
import { keyForLogs } from './live-redactor.ts';

/** Ends the server. Its last words may quote a payload, as errors of JSON do, and the log keeps them: they are redacted. */
export function lastWords(home: string | undefined): (why: string) => never {
  return (why) => {
    const words = home === undefined ? why : createRedactor({ key: keyForLogs(home) }).text(why);
    process.stderr.write(`${new Date().toISOString()} piton server: ${words}\n`);
    process.exit(1);
  };
}
