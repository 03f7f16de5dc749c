// Writes docs/images/first-hour.svg from screens that scenarios/first-hour recorded in a real terminal. `--check` fails when it is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SCREENS = ['events', 'rewind'].map((name) => join(ROOT, 'scenarios/first-hour/screens', `${name}.txt`));
const TARGET = join(ROOT, 'docs/images/first-hour.svg');
const [CHARACTER, LINE, MARGIN] = [8.4, 20, 18];

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function pictureOf(lines) {
  const [width, height] = [80 * CHARACTER + 2 * MARGIN, lines.length * LINE + 2 * MARGIN];
  const rows = lines.map((line, at) => {
    const colour = line.startsWith('$ ') ? '#7ee787' : /den(y|ied)/i.test(line) ? '#ffa198' : '#e6edf3';
    return `  <text x="${MARGIN}" y="${MARGIN + (at + 0.75) * LINE}" fill="${colour}" xml:space="preserve">${escaped(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">`,
    '  <title>The first hour with Piton, recorded in a terminal</title>',
    `  <rect width="100%" height="100%" rx="10" fill="#0d1117"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

const lines = SCREENS.flatMap((file, at) => [...(at > 0 ? [''] : []), ...readFileSync(file, 'utf8').trimEnd().split('\n')]);
const picture = pictureOf(lines);
if (process.argv.includes('--check')) {
  if (readFileSync(TARGET, 'utf8') !== picture) {
    console.error('docs/images/first-hour.svg is stale: node scripts/terminal-picture.mjs');
    process.exitCode = 1;
  }
} else writeFileSync(TARGET, picture);
