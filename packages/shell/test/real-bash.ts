import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a real shell made of a script. */
export interface Run {
  /** The words of each call, and what came in where it reads. */
  readonly calls: readonly { readonly words: readonly string[]; readonly input?: string }[];
  /** Files that it wrote. */
  readonly written: readonly string[];
}

const FUNCTIONS = `
stub() { printf '%s\\0' stub "$#" "$@" >> "$LOG"; }
fed() { local all; IFS= read -r -d '' all; printf '%s\\0' fed "$#" "$@" "$all" >> "$LOG"; }
for at in "$BASE"/*; do
  LOG=$at/log
  (cd "$at/work" && source "$at/script") < /dev/null > /dev/null 2>&1
done
`;

/** Runs each in a directory of its own, all from one bash. */
export function runAll(scripts: readonly string[], base: string): readonly Run[] {
  const places = scripts.map((script, at) => {
    const place = join(base, String(at).padStart(6, '0'));
    mkdirSync(join(place, 'work'), { recursive: true });
    writeFileSync(join(place, 'script'), `${script}\n`);
    writeFileSync(join(place, 'log'), '');
    return place;
  });
  const env = { PATH: process.env.PATH, HOME: '/home/ann', BASE: base, LC_ALL: 'C.UTF-8' };
  const { error } = spawnSync('bash', ['--norc', '-c', FUNCTIONS], { env, timeout: 300_000 });
  if (error !== undefined) throw error;
  return places.map((place) => ({ calls: callsIn(readFileSync(join(place, 'log'), 'utf8')), written: readdirSync(join(place, 'work')) }));
}

function callsIn(log: string): Run['calls'] {
  const fields = log.split('\0').slice(0, -1);
  const calls: { words: readonly string[]; input?: string }[] = [];
  for (let at = 0; at < fields.length; ) {
    const [program, count] = [fields[at], Number(fields[at + 1])];
    const words = fields.slice(at + 2, at + 2 + count);
    at += 2 + count;
    calls.push(program === 'fed' ? { words, input: fields[at++] ?? '' } : { words });
  }
  return calls;
}
