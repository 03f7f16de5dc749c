import type { Loss, PortableHook, ToolKind } from '@piton/contracts';
import type { ToolTable } from '../tool-translation.ts';

export interface NativeTool {
  readonly native: string;
  /** The portable names under which a call of it may come. */
  readonly names: readonly string[];
  readonly kind: ToolKind;
}

export interface ToolNaming {
  readonly tools: readonly NativeTool[];
  /** How tools of MCP servers are called, as a regular expression made of two others. */
  mcp(server: string, tool: string): string;
  /** Its names are the portable ones, so that one which we do not know is taken as it is. */
  readonly open?: true;
}

/** `more`: other portable names of a native tool, beside that in the table. */
export const toolsIn = (table: ToolTable, more: Readonly<Record<string, readonly string[]>> = {}): NativeTool[] =>
  Object.entries(table).map(([native, { name, kind }]) => ({ native, names: [name, ...(more[native] ?? [])], kind }));

export type Selection =
  /** `patterns` are regular expressions of native names; null is every tool. */
  | {
      readonly ok: true;
      readonly patterns: readonly string[] | null;
      readonly tools: readonly NativeTool[];
      readonly losses: readonly Loss[];
    }
  | { readonly ok: false; readonly why: string };

export const literal = (name: string): string => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const ANY = '.+';

/** The native names of the tools that a hook runs for. A matcher never becomes wider than it was. */
export function selectTools(hook: PortableHook, kinds: readonly ToolKind[] | null, naming: ToolNaming, title: string): Selection {
  if (kinds?.includes('other')) return refused('tools of no kind cannot be listed: name them in "matcher"');
  const matcher = hook.matcher.trim() === '*' ? '' : hook.matcher.trim();
  if (matcher === '' && kinds === null) return { ok: true, patterns: null, tools: naming.tools, losses: [] };
  const isPattern = matcher.startsWith('/');
  if (isPattern && /mcp/i.test(matcher))
    return refused(`${matcher}: a regular expression over tools of MCP servers cannot be put into ${title}'s words`);

  const losses: Loss[] = [];
  const ofKind = naming.tools.filter(({ kind }) => kinds === null || kinds.includes(kind));
  const tools = ofKind.filter(({ names }) => matcher === '' || names.some((name) => hook.fits(name)));
  for (const { native, names } of tools) {
    const unwanted = matcher === '' ? [] : names.filter((name) => !hook.fits(name));
    if (unwanted.length > 0)
      losses.push({ field: 'matcher', what: `${native} is also ${unwanted.join(' and ')} in ${title}: it is heard as a whole` });
  }
  const mcpWanted = kinds === null || kinds.includes('mcp');
  const written = isPattern || matcher === '' ? [] : matcher.split('|').map((part) => part.trim());
  const servers = mcpWanted ? (matcher === '' ? ['mcp__*'] : written.filter((part) => part.startsWith('mcp__'))) : [];
  const patterns = [...tools.map(({ native }) => literal(native)), ...servers.map((part) => mcpPattern(part, naming))];

  const strange = written.filter(
    (part) => !part.startsWith('mcp__') && !/[*?]/.test(part) && !ofKind.some(({ names }) => names.includes(part)),
  );
  if (naming.open && kinds === null) patterns.push(...strange.map(literal));
  else if (strange.length > 0 && patterns.length > 0)
    losses.push({ field: 'matcher', what: `${title} has no tool that is ${strange.join(' or ')}` });
  if (patterns.length === 0)
    return refused(`${title} has no tool that ${matcher === '' ? `is of the kind ${kinds?.join(' or ')}` : `"${matcher}" fits`}`);
  return { ok: true, patterns: [...new Set(patterns)], tools, losses };
}

const refused = (why: string): Selection => ({ ok: false, why });

function mcpPattern(part: string, naming: ToolNaming): string {
  const [, server = '*', tool = '*'] = /^mcp__(.+?)__(.+)$/.exec(part) ?? [];
  return naming.mcp(globbed(server), globbed(tool));
}

const globbed = (glob: string): string =>
  glob === '*' ? ANY : [...glob].map((char) => (char === '*' ? '.*' : char === '?' ? '.' : literal(char))).join('');

/** For agents whose matcher is a regular expression, wherever they put its ends. */
export const anchoredPattern = (patterns: readonly string[]): string => `^(${patterns.join('|')})$`;
