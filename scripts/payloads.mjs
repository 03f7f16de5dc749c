// The recorded and documented payloads of every agent as one file, for `piton hooks test`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from './sources.mjs';

const AGENTS = join(ROOT, 'packages', 'agents', 'src');

/** Documented payloads use a fictional developer's paths. Recordings have variables there. */
const anchored = (text) => text.replaceAll('/home/dev/project', '$REPO').replaceAll('/home/dev', '$HOME');

function payloadsIn(folder, kind, read) {
  const directory = join(folder, 'fixtures', kind);
  try {
    return filesBelow(directory, new Set())
      .filter((file) => file.endsWith('.json'))
      .map((file) => ({ name: file.slice(directory.length + 1, -'.json'.length), kind, ...read(readFileSync(file, 'utf8')) }));
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []; // no agent, or one that was never run here
    throw error;
  }
}

export function payloadsText() {
  const all = {};
  for (const agent of readdirSync(AGENTS).sort()) {
    const folder = join(AGENTS, agent);
    const recorded = payloadsIn(folder, 'recorded', (text) => {
      const { event, env, stdin } = JSON.parse(text);
      return { event, env, payload: stdin };
    });
    const documented = payloadsIn(folder, 'documented', (text) => ({ payload: JSON.parse(anchored(text)) }));
    if (recorded.length + documented.length > 0) all[agent] = [...recorded, ...documented];
  }
  return JSON.stringify(all);
}
