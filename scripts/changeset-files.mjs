// What stands in .changeset: the changes that are in no version yet.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const KINDS = ['major', 'minor', 'patch'];

/** By file name. Throws where one is not as `.changeset/README.md` says. */
export function readChangesets(root, packages) {
  const folder = join(root, '.changeset');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md') : [];
  return names.sort().map((name) => parseChangeset(name, readFileSync(join(folder, name), 'utf8'), packages));
}

function parseChangeset(name, text, packages) {
  const [, head, body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined) throw new Error(`${name}: it has no head between two lines of ---`);
  const bumps = head.split('\n').map((line) => /^["']?(@piton\/[a-z-]+)["']?: (\w+)$/.exec(line));
  for (const [at, bump] of bumps.entries()) {
    if (bump === null) throw new Error(`${name}: line ${at + 2} is not "@piton/…": kind`);
    if (!packages.includes(bump[1])) throw new Error(`${name}: no published package is named ${bump[1]}`);
    if (!KINDS.includes(bump[2])) throw new Error(`${name}: ${bump[2]} is none of ${KINDS.join(', ')}`);
  }
  if (body.trim() === '') throw new Error(`${name}: it says nothing of what changed`);
  return { name, kind: KINDS.find((kind) => bumps.some((bump) => bump[2] === kind)), text: body.trim() };
}

const HEADINGS = { major: 'Stops working as it did', minor: 'New', patch: 'Mended' };

/** A section of the changelog, what breaks first. */
export function sectionOf(version, date, changes) {
  const parts = KINDS.flatMap((kind) => {
    const lines = changes
      .filter((change) => change.kind === kind)
      .map(({ text }) => `- ${text.replaceAll('\n', '\n  ').replace(/^ +$/gm, '')}`);
    return lines.length === 0 ? [] : [`### ${HEADINGS[kind]}\n\n${lines.join('\n')}\n`];
  });
  return `## ${version} (${date})\n\n${parts.join('\n')}`;
}

/** Above the newest section. */
export function withSection(changelog, section) {
  const at = changelog.search(/^## /m);
  return at < 0 ? `${changelog.trimEnd()}\n\n${section}` : `${changelog.slice(0, at)}${section}\n${changelog.slice(at)}`;
}
