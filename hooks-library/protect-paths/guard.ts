import { readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { walkCommand } from '@piton/shell';
import { type Answer, commandOf, type Payload } from '../parts/payload.ts';
import { textOfFile } from '../parts/regular-file.ts';
import { pathsGiven } from '../parts/tool-input.ts';
import { effectOn, type Pattern, readPatterns } from './patterns.ts';
import { pathsWritten } from './written.ts';

const OWN_LIST = join(dirname(fileURLToPath(import.meta.url)), 'paths.txt');

export default (payload: Payload): Answer => {
  const root = payload.piton.repo ?? payload.cwd;
  const patterns = patternsFor(root);
  for (const path of touched(payload)) {
    const pattern = patternOn(path, root, patterns);
    if (pattern?.effect === 'ask')
      return { decision: 'ask', reason: `${shown(path, root)} is protected (${pattern.text}). Let the person confirm this change.` };
    if (pattern)
      return {
        decision: 'deny',
        reason: `Blocked, since ${shown(path, root)} is protected (${pattern.text}). Tell the person what should change there, or put it into another file, such as an example without values.`,
      };
  }
  return undefined;
};

/** A project may protect more, but never less: its list comes from a repository. */
function patternsFor(root: string): Pattern[] {
  // It is part of this hook: where it cannot be read the hook fails, and is fail_closed.
  const own = readPatterns(readFileSync(OWN_LIST, 'utf8'));
  const projects = readPatterns(textOfFile(join(root, '.piton', 'protected-paths')));
  return [...own, ...projects.filter(({ effect }) => effect !== 'allow')];
}

function touched(payload: Payload): string[] {
  const { tool } = payload.piton;
  if (tool?.kind === 'edit')
    return [...tool.files, ...(tool.resolved ?? [])].flatMap((file) => (file === null ? [] : resolve(payload.cwd, file)));
  if (tool?.kind === 'mcp' || tool?.kind === 'other') return pathsGiven(payload).map((file) => resolve(payload.cwd, file));
  const command = tool?.kind === 'shell' ? commandOf(payload) : undefined;
  if (command === undefined) return [];
  return walkCommand(command, { cwd: payload.cwd, home: homedir(), repo: payload.piton.repo }).calls.flatMap(pathsWritten);
}

/** By the path as given, and by its real path. */
function patternOn(path: string, root: string, patterns: readonly Pattern[]): Pattern | undefined {
  return effectOn(relativeTo(root, path), patterns) ?? effectOn(relativeTo(root, real(path)), patterns);
}

/** Outside the project the absolute path is matched. */
function relativeTo(root: string, path: string): string {
  const inside = relative(root, path);
  return inside.startsWith('..') ? path : inside;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), basename(path));
  }
}

const shown = (path: string, root: string): string => relativeTo(root, path);
