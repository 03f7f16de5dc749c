import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expandRow } from './expand-row.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

export type Side = 'attacks' | 'harmless';

export interface Row {
  readonly class: string;
  readonly command: string;
  /** A real shell shows what it does. */
  readonly isRun: boolean;
  /** Written after the rules, so that they could not be made to fit. */
  readonly isLater: boolean;
  /** The first of those that its line stands for. */
  readonly isFirst: boolean;
}

/** All rows of one side: what was written before the rules, and what was written after them. */
export const rowsOf = (side: Side, directory = HERE): Row[] => [
  ...rowsIn(join(directory, `${side}.txt`), false),
  ...rowsIn(join(directory, `${side}-later.txt`), true),
];

function rowsIn(file: string, isLater: boolean): Row[] {
  const rows: Row[] = [];
  let name = '';
  let isRun = true;
  for (const [at, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const heading = /^== (.*?)( \[not run\])?$/.exec(line);
    if (heading !== null) [name, isRun] = [heading[1] as string, heading[2] === undefined];
    else if (line !== '' && !line.startsWith('# '))
      for (const [variant, command] of expandRow(line.replaceAll('↵', '\n'), at).entries())
        rows.push({ class: name, command, isRun, isLater, isFirst: variant === 0 });
  }
  return rows;
}
