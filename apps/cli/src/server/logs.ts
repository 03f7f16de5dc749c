import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Log files, oldest first. */
function logFiles(directory: string): string[] {
  try {
    return readdirSync(directory)
      .map((name) => join(directory, name))
      .filter((path) => statSync(path).isFile())
      .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
  } catch {
    return [];
  }
}

export function lastLines(directory: string, count: number): string[] {
  const lines: string[] = [];
  for (const file of logFiles(directory).reverse()) {
    if (lines.length >= count) break;
    lines.unshift(...readFileSync(file, 'utf8').split('\n').filter(Boolean));
  }
  return count === 0 ? [] : lines.slice(-count);
}

/** Prints what is appended to any log from now on, until the process ends or the reader is gone. */
export async function followLogs(directory: string, print: (text: string) => void, end: AbortSignal): Promise<void> {
  const seen = new Map(logFiles(directory).map((file) => [file, statSync(file).size]));
  while (!end.aborted) {
    await sleep(300);
    for (const file of logFiles(directory)) {
      const { size } = statSync(file);
      const from = seen.get(file) ?? 0;
      if (size > from) print(slice(file, from, size - from));
      seen.set(file, size);
    }
  }
}

function slice(file: string, from: number, length: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, from)).toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}
