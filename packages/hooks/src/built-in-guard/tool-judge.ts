import { type CanonicalEvent, missingIn, type Tool } from '@piton/contracts';
import type { Finding } from './finding.ts';
import { type Grounds, realPaths } from './named-place.ts';
import { segmentsOf } from './path-segments.ts';
import { judgeShell } from './shell/judge-shell.ts';

/** Would this tool call change something of Piton's own? */
export function judgeTool(event: CanonicalEvent, grounds: Grounds): Finding | undefined {
  const { tool, cwd } = event;
  const missing = tool?.kind === 'read' ? undefined : missingIn(event);
  if (missing !== undefined) return { kind: 'incomplete', what: missing };
  if (tool === undefined) return undefined;
  switch (tool.kind) {
    case 'shell':
      return tool.command === undefined ? undefined : judgeShell(tool.command, cwd, grounds);
    case 'edit':
      return judgeFiles(tool, cwd, grounds);
    case 'mcp':
    case 'other':
      return judgeUnknown(tool, cwd, grounds);
    case 'read':
    case 'web':
    case 'todo':
    case 'subagent':
      return undefined;
  }
}

function judgeFiles({ files, name }: Tool, cwd: string, grounds: Grounds): Finding | undefined {
  for (const file of files) if (isOurs(file, cwd, grounds)) return { kind: 'place', by: name, place: file };
  return undefined;
}

/** By its name, and by where it leads. */
function isOurs(given: string, cwd: string, { claimOf, disk, here, variables }: Grounds): boolean {
  const path = /^~(?=\/)/.test(given) ? given.replace('~', variables.HOME ?? '~') : given;
  if (path === '' || path.length > 4096 || path.includes('\0')) return false;
  const named = segmentsOf(path, cwd);
  if (claimOf(named, here) === 'inside') return true;
  return realPaths(path, cwd, disk).some((real) => claimOf(segmentsOf(real, '/'), here) === 'inside');
}

/** Words in a tool's name by which it only looks, and by which it does more. */
const LOOKS =
  /(?:^|_)(?:read|get|list|search|find|view|stat|tree|info|show|fetch|grep|glob|cat|head|diff|describe|query|lookup|exists|inspect|load)(?:_|$)/;
const ACTS =
  /(?:^|_)(?:write|edit|create|delete|remove|rm|move|rename|update|set|put|patch|append|replace|insert|run|exec|execute|save|apply|upload|copy)(?:_|$)/;
const COMMANDS = /^(?:command|cmd|script|shell|bash|code)$/i;

/** A tool that nobody here knows: what it is given is looked at, unless its name says that it only looks. */
function judgeUnknown(tool: Tool, cwd: string, grounds: Grounds): Finding | undefined {
  if (tool.command !== undefined) return judgeShell(tool.command, cwd, grounds);
  // Behind `__` stands the tool's own name; before it, its server's.
  const own = (tool.nativeName.split('__').at(-1) ?? '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  const looks = LOOKS.test(own) && !ACTS.test(own);
  for (const { key, text } of textsIn(tool.input)) {
    if (COMMANDS.test(key)) {
      const found = judgeShell(text, cwd, grounds);
      if (found !== undefined) return found;
    } else if (!looks && isPathLike(text) && isOurs(text, cwd, grounds)) return { kind: 'place', by: tool.name, place: text };
  }
  return undefined;
}

const isPathLike = (text: string): boolean => text.length <= 4096 && !/[\n\r]/.test(text) && /[./~]/.test(text);

const MOST_TEXTS = 200;

/** The texts of an input, with the keys that they stand under; with a list instead of recursion. */
function textsIn(input: unknown): { readonly key: string; readonly text: string }[] {
  const found: { key: string; text: string }[] = [];
  const open: { key: string; value: unknown }[] = [{ key: '', value: input }];
  for (let next = open.shift(); next !== undefined && found.length < MOST_TEXTS; next = open.shift()) {
    const { key, value } = next;
    if (typeof value === 'string') found.push({ key, text: value });
    else if (typeof value === 'object' && value !== null && open.length < MOST_TEXTS)
      for (const [name, each] of Object.entries(value).slice(0, MOST_TEXTS))
        open.push({ key: Array.isArray(value) ? key : name, value: each });
  }
  return found;
}
