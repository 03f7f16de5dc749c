import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findAgent } from '@piton/agents';
import { caseDifference, type HookCase, readHookCases } from '@piton/artifacts';
import type { Reduced } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import type { Occasion } from '@piton/lifecycle';
import { Failure, reasonOf } from '../failure.ts';
import { casesFolder } from '../hooks/fixtures.ts';
import { replacePlaceholders } from './payloads.ts';
import { preview } from './trial.ts';

/** A test case of a hook, and its file. */
export interface CaseFile {
  readonly file: string;
  readonly case: HookCase;
}

/** Where the hook's test cases are: `tests/` beside its ARTIFACT.md, and the folder for wrong denies. */
export function caseFolders(config: string, hook: HookDefinition): string[] {
  return [...new Set([...(hook.folder === undefined ? [] : [join(hook.folder, 'tests')]), casesFolder(config, hook)])];
}

export const hookCases = (config: string, hook: HookDefinition): CaseFile[] =>
  caseFolders(config, hook)
    .filter((folder) => existsSync(folder))
    .flatMap(casesAt);

/** One file, or all files in a folder. */
export function casesAt(path: string): CaseFile[] {
  return filesAt(path).flatMap((file) => {
    const read = readHookCases(textOf(file));
    if (!read.ok)
      throw new Failure(`cannot read a test case: ${read.problems.join('; ')}`, {
        where: file,
        remedy: 'fix it there. See docs/testing-hooks.md for the format',
      });
    return read.cases.map((one) => ({ file, case: withAgent(one, file) }));
  });
}

function filesAt(path: string): string[] {
  const at = resolve(path);
  if (!existsSync(at)) throw new Failure(`no such file or folder: ${at}`, { remedy: 'use a test case file, or a folder of them' });
  if (!statSync(at).isDirectory()) return [at];
  const names = readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => join(at, name));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`cannot read a test case: ${reasonOf(error)}`, { where: file });
  }
}

function withAgent(one: HookCase, file: string): HookCase {
  const agent = findAgent(one.agent);
  if (agent !== undefined) return { ...one, agent: agent.id };
  throw new Failure(`test case ${JSON.stringify(one.name)} names an unknown agent: ${one.agent}`, { where: file });
}

export function occasionOf(one: HookCase, work: string): Occasion {
  const payload = replacePlaceholders(one.payload, { $REPO: work });
  const variables = { ...one.env };
  return { agent: one.agent, nativeEvent: one.native_event, payload, cwd: one.cwd ?? work, variables, terminal: true };
}

/** How the decision differs from what the case expects. Paths are compared as written in the case. */
export function differenceOf(one: HookCase, reduced: Reduced, hook: HookDefinition, work: string): string | undefined {
  const { cwd } = preview(occasionOf(one, work), hook).event;
  return caseDifference(one.expect, cwd.length > 1 ? (replacePlaceholders(reduced, { [work]: cwd }) as Reduced) : reduced);
}
