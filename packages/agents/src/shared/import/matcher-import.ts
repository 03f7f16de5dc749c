import type { Agent } from '@piton/contracts';

/** How an agent reads its matchers. */
export interface MatcherDialect {
  readonly tools: Agent['tools'];
  /** `exact`: plain names fit whole names; `part`: they fit any name that holds them. */
  readonly names: 'exact' | 'part';
  /** Several tools of ours for one name of theirs. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** A pattern for tools of MCP servers, as a glob of ours. */
  mcp(part: string): string | undefined;
}
export type MatcherResult = { readonly matcher?: string } | { readonly what: string; readonly why: string };

/** Around a choice of names: it says the same without. */
const WRAPPED = /^\^?\((?:\?:)?([^()]*)\)\$?$|^\^?([^()^$]*)\$?$/;
const NAME = /^[\w-]+$/;

/** A matcher on an agent's own names for its tools, as one on portable names. */
export function portableMatcher(matcher: unknown, dialect: MatcherDialect): MatcherResult {
  if (typeof matcher !== 'string' || matcher === '' || matcher === '*' || matcher === '.*') return {};
  const inside = WRAPPED.exec(matcher);
  const parts = (inside?.[1] ?? inside?.[2] ?? '').split('|').map((part) => part.trim());
  const anchored = dialect.names === 'exact' || (matcher.startsWith('^') && matcher.endsWith('$'));
  const names = parts.map((part) => namesOf(part, anchored, dialect));
  if (parts.includes('') || names.includes(undefined))
    return { what: `the matcher ${matcher}`, why: 'it is a pattern on names that only this agent has for its tools' };
  return { matcher: [...new Set(names.flatMap((each) => each ?? []))].join('|') };
}

function namesOf(part: string, anchored: boolean, { tools, aliases, mcp }: MatcherDialect): readonly string[] | undefined {
  const server = mcp(part);
  if (server !== undefined) return [server];
  if (!NAME.test(part)) return undefined;
  const own = (name: string): readonly string[] => aliases?.[name] ?? [tools[name]?.name ?? name];
  if (anchored) return own(part);
  const fitting = Object.keys(tools).filter((name) => name.includes(part));
  return fitting.length > 0 ? fitting.flatMap(own) : [`*${part}*`];
}

/** Names separated by `|`, or a pattern: in our syntax, where an agent takes either. */
export function portablePattern(text: string, isNames: RegExp): string {
  return isNames.test(text)
    ? text
        .split(/[|,]/)
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .join('|')
    : `/${text}/`;
}
