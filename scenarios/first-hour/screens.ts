import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SCREENS = join(import.meta.dirname, 'screens');

/** What a screen shows on every machine: paths and versions by something of the same length. The path of Node has none. */
const portable = (root: string, screen: string): string =>
  `${screen
    .replaceAll(root, `/tmp/hour-${'0'.repeat(root.length - '/tmp/hour-'.length)}`)
    .replace(/node \S*dist\/cli\.mjs/g, 'node …/cli.mjs')
    .replace(/\d+\.\d+\.\d+-[0-9a-f]{8}/g, '0.0.0-00000000')
    .replace(/with Node from [\s\S]*?\n(?= {4})/g, 'with Node from …\n')
    .replace(/[ \t]+$/gm, '')
    .trimEnd()}\n`;

/** Whether the last column of `piton hooks` fits into 80 columns depends on how many digits a time has. */
const withoutLastTimes = (text: string): string =>
  / P95$/m.test(text) ? text.replace(/ +P95$/m, '').replace(/(?<=^\w+_\w+ .*\S) +(?:–|[\d.]+ (?:µs|ms|s))$/gm, '') : text;

/** What differs from run to run. IDs are as long as it takes to tell them apart, and columns as wide as they are: a space is a space. */
const steady = (text: string): string =>
  withoutLastTimes(text)
    .replace(/\b01[0-9A-HJKMNP-TV-Z]{4,24}\b/g, 'ID')
    // What was learnt is named by a hash, which the path of the repository is a part of.
    .replace(/\b(?=[0-9A-HJKMNP-TV-Z]*\d)(?=[0-9]*[A-HJKMNP-TV-Z])[0-9A-HJKMNP-TV-Z]{8,26}\b/g, 'ID')
    .replace(/\b\d{4}-\d\d-\d\d\b/g, '0000-00-00')
    .replace(/\b\d\d:\d\d:\d\d\b/g, '00:00:00')
    .replace(/\b\d+(\.\d+)? (µs|ms|s)\b/g, '0 s')
    .replace(/\b\d+ (?:s|min|h) ago\b/g, '0 s ago')
    .replace(/\bprocess \d+/g, 'process 0')
    .replace(/\b(just started|up 0 s|up \d+ (?:min|h))\b/g, 'up 0 s')
    .replace(/,\s+stored\s+as/g, ', stored as')
    // A cell is cut to what the other columns leave, and an ID is longer where two events stand close together.
    .replace(/(?<=^| {2})([^\s…]+)(?: [^\s…]+)* ?[^\s…]*…(?= |$)/gm, '$1 …')
    .replace(/\S*…\S*/g, '…')
    .replace(/(?<=\S) +/g, ' ');

export interface Comparison {
  readonly shown: string;
  readonly recorded: string;
}

/** Recorded with PITON_GOLDEN=1; the difference is for a person to look at. What differs from run to run alone is not recorded again. */
export function compareScreen(name: string, root: string, screen: string): Comparison {
  const file = join(SCREENS, `${name}.txt`);
  const text = portable(root, screen);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (process.env.PITON_GOLDEN && steady(before) !== steady(text)) writeFileSync(file, text);
  return { shown: steady(text), recorded: steady(readFileSync(file, 'utf8')) };
}
