import { readFileSync } from 'node:fs';

const FIXTURE = new URL('../fixtures/hostile-names.jsonl', import.meta.url);
const LONGEST = 255;

export interface HostileName {
  readonly class: string;
  readonly bytes: Buffer;
  /** Undefined where it is no UTF-8. */
  readonly text: string | undefined;
}

/** Names that others may give to files, branches, hooks and fields. `CANARY` in them is the file that a command in the name would make. */
export function hostileNames(): HostileName[] {
  const lines = readFileSync(FIXTURE, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const row = JSON.parse(line) as { class: string; name?: string; hex?: string };
    const bytes = row.hex === undefined ? Buffer.from(row.name ?? '') : Buffer.from(row.hex, 'hex');
    return { class: row.class, bytes, text: row.hex === undefined ? row.name : undefined };
  });
}

/** Can a file be called this? */
export const isFileName = ({ bytes }: HostileName): boolean =>
  bytes.length > 0 && bytes.length <= LONGEST && !bytes.includes(0) && !bytes.includes(47) && !['.', '..'].includes(bytes.toString());
