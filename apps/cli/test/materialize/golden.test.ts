import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { expect, test } from 'vitest';
import { planHook } from '../../src/materialize/plan.ts';
import { ARTIFACTS, artifactAt, newDirectory, SEED, targetIn } from './setup.ts';

/** The samples of the document that artifacts came from, a guard with a matcher, a specific event, and context at the start. */
const FOLDERS = [
  join(SEED, 'inline'),
  join(SEED, 'with-jq'),
  join(SEED, 'finance', 'audit', 'log-session-end'),
  join(ARTIFACTS, 'guard'),
  join(ARTIFACTS, 'after-shell'),
  join(ARTIFACTS, 'greet'),
];
const goldenOf = ({ id }: Agent): string =>
  join(import.meta.dirname, '..', '..', '..', '..', 'packages', 'agents', 'src', id, 'fixtures', 'materialized', 'golden.txt');

/** Everything that is written for one agent, and what is lost, in readable form. */
function written(agent: Agent): string {
  const base = newDirectory();
  // An agent that has no hooks of a project gets them for its user.
  const target = targetIn(base, agent.installer.userOnly === undefined ? {} : { scope: 'user' });
  const known = new Map<string, Buffer | null>();
  const files = new Map<string, { readonly head: string; readonly text: string }>();
  const lines: string[] = [];
  for (const artifact of FOLDERS.map(artifactAt)) {
    const { refused, nativeEvents, losses, files: planned } = planHook(artifact, agent, target, known);
    lines.push(refused ? `${artifact.name}: ${refused.code}: ${refused.why}` : `${artifact.name}: ${nativeEvents.join(', ')}`);
    for (const { field, what } of losses) lines.push(`  lost: ${field}: ${what}`);
    for (const { path, after, mode } of planned) {
      const name = relative(base, path);
      // Bundled files are copies: only their presence and executable bit matter here.
      const text = name.includes('/artifact/') ? '' : (after?.toString('utf8') ?? '(gone)\n').replaceAll(base, '/home/dev');
      files.set(name, { head: `==== ${name}${mode & 0o100 ? ' (executable)' : ''}\n`, text });
    }
  }
  const state = agent.provenVersion === null ? 'unproven: no real run has shown that it works' : `seen with ${agent.provenVersion}`;
  return `${agent.title}, ${state}\n${lines.join('\n')}\n\n${listed([...files.values()])}`;
}

/** Programs that differ only at their beginning are shown in full once. */
function listed(files: readonly { readonly head: string; readonly text: string }[]): string {
  const tails = new Set<string>();
  const shown = ({ head, text }: { readonly head: string; readonly text: string }): string => {
    const at = text.indexOf('\nconst wants =');
    const tail = at < 0 ? '' : text.slice(at);
    const known = tails.has(tail);
    if (tail !== '') tails.add(tail);
    return tail !== '' && known ? `${head}${text.slice(0, at)}\n(the rest as above)\n` : `${head}${text}`;
  };
  return files.map(shown).join('\n');
}

test.each(AGENTS.map((agent) => [agent.id, agent] as const))('%s: what is written is what the golden file shows', (_id, agent) => {
  const golden = goldenOf(agent);
  if (process.env.PITON_GOLDEN) {
    mkdirSync(dirname(golden), { recursive: true });
    writeFileSync(golden, written(agent));
  }
  expect(existsSync(golden), `${golden} is missing: PITON_GOLDEN=1 writes it`).toBe(true);
  expect(written(agent)).toBe(readFileSync(golden, 'utf8'));
});
