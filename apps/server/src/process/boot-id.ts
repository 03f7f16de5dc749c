import { readFileSync } from 'node:fs';

/** Changes with every boot: monotonic times are comparable only within one boot. Empty if the system has none. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
