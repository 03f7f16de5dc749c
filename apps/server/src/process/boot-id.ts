import { readFileSync } from 'node:fs';

/** Changes at every start of the machine: a monotonic clock means something within one only. Empty where there is none. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
