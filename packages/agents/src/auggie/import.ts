import { type Importer, isToolEvent } from '@piton/contracts';
import { quoted } from '../shared/command-line.ts';
import { type Carried, eventOf, importHooks, type RawHook, removeHooks, restoreHooks, timeIn } from '../shared/import/hooks-import.ts';
import { type MatcherDialect, type MatcherResult, portableMatcher } from '../shared/import/matcher-import.ts';
import { textOf } from '../shared/json-fields.ts';
import { canonicalName, isKnown } from './events.ts';
import { TOOLS } from './tools.ts';

const TIMEOUT_MS = 60_000;

const DIALECT: MatcherDialect = {
  tools: TOOLS,
  names: 'part',
  aliases: { 'str-replace-editor': ['Edit', 'MultiEdit'], apply_patch: ['Edit', 'Write'] },
  mcp: () => undefined,
};

/** Only a matcher that begins so is compared with the tools of servers. */
const SERVERS = 'mcp:';
const ALL_OF_A_SERVER = /^\^?\.[*+]_([A-Za-z0-9-]+)\$?$/;

function toolMatcher(matcher: string): MatcherResult {
  if (!matcher.startsWith(SERVERS)) return portableMatcher(matcher, DIALECT);
  const pattern = matcher.slice(SERVERS.length);
  if (pattern === '*' || pattern === '.*') return { matcher: 'mcp__*' };
  const [, server] = ALL_OF_A_SERVER.exec(pattern) ?? [];
  if (server !== undefined) return { matcher: `mcp__${server}__*` };
  return { what: `the matcher ${matcher}`, why: 'it is a pattern on names that only this agent has for its tools' };
}

function carry({ handler, group, place }: RawHook): Carried {
  const { type = 'command', args } = handler;
  if (type !== 'command') return { what: `a hook of the type ${String(type)}`, why: 'it runs no command' };
  const named = eventOf(place.nativeEvent, (name) => (isKnown(name) ? canonicalName(name) : undefined));
  if ('why' in named) return named;
  const { event } = named;
  const command = textOf(handler, 'command');
  if (command === undefined) return { what: 'a hook without a command', why: 'there is nothing to run' };
  const matcher = textOf(group, 'matcher') ?? '';
  const isTool = isToolEvent(event);
  if (!isTool && !['', '.*'].includes(matcher)) return { what: `the matcher ${matcher}`, why: 'Auggie runs no hook with it on this event' };
  const matched = isTool ? toolMatcher(matcher) : {};
  if ('why' in matched) return matched;
  const words = Array.isArray(args) ? args.filter((arg) => typeof arg === 'string') : [];
  return {
    event,
    ...matched,
    command: words.length > 0 ? [command, ...words].map(quoted).join(' ') : command,
    timeoutMs: timeIn(handler.timeout, 1, TIMEOUT_MS),
    shape: 'native',
    notes: [],
  };
}

const FILES = {
  user: [{ path: '.augment/settings.json', label: '~/.augment/settings.json' }],
  project: ['settings.json', 'settings.local.json'].map((name) => ({ path: `.augment/${name}`, label: `.augment/${name}` })),
} as const;

export const importer: Importer = {
  files: (scope) => FILES[scope],
  read: (text) => importHooks(text, carry),
  remove: removeHooks,
  restore: restoreHooks,
};
