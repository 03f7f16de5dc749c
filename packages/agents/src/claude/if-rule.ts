import { type EventName, isToolEvent } from '@piton/contracts';
import type { Carried } from '../shared/import/hooks-import.ts';

/** What a hook of ours needs to run where this rule fits; `notes` say where it fits more. */
type Condition = { matcher?: string; shellCommand?: string; file?: string; kind?: 'edit' | 'read' | 'shell'; notes: readonly string[] };
type Refused = Extract<Carried, { why: string }>;

const RULE = /^([\w-]+)(?:\(([\s\S]*)\))?$/;
/** A rule about one of these counts for all tools of its kind. */
const KINDS: Readonly<Record<string, 'edit' | 'read'>> = {
  Edit: 'edit',
  Write: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Read: 'read',
};

/** `if` of a handler: one permission rule, `Bash(git *)`, `Edit(*.ts)` or a tool's name. */
export function conditionOfRule(event: EventName, rule: string, matcher: string | undefined): Condition | Refused {
  const refuse = (why: string): Refused => ({ what: `a hook with "if": ${rule}`, why });
  if (!isToolEvent(event)) return refuse('it is no event of a tool: Claude Code never runs it');
  const [, tool = '', inside] = RULE.exec(rule.trim()) ?? [];
  if (tool === '') return refuse('the rule cannot be read: write it as when');
  const named = inside === undefined || inside === '' || inside === '*';
  if (tool === 'Bash') return named ? { kind: 'shell', notes: [] } : { kind: 'shell', shellCommand: commandPattern(inside), notes: [] };
  const kind = KINDS[tool];
  if (kind !== undefined && !named) return pathPattern(kind, inside, refuse);
  if (!named) return refuse('its conditions have no like in Piton: write it as when');
  return narrowed(tool, matcher) ?? refuse('its matcher and its rule cannot be put together: write it as when');
}

/** One name is the narrower condition where the matcher lets it through. */
function narrowed(tool: string, matcher: string | undefined): Condition | undefined {
  if (matcher === undefined || matcher.split('|').includes(tool)) return { matcher: tool, notes: [] };
  return undefined;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * `*` is any text, `git:*` is `git` with anything behind it. The rule is put to every command of a line by itself, so it may
 * begin behind an operator and end before one.
 */
function commandPattern(inside: string): string {
  const prefix = /^([\s\S]*):\*$/.exec(inside)?.[1];
  const begin = '(?:^|[;&|(\\n])\\s*';
  const end = '\\s*(?:$|[;&|)\\n])';
  if (prefix !== undefined) return `/${begin}${escaped(prefix)}(?:\\s|${end.slice(3)})/`;
  const body = inside.split('*').map(escaped).join('[^\\n]*');
  return inside.endsWith('*') ? `/${begin}${body}/` : `/${begin}${body}${end}/`;
}

/** As in a `.gitignore`: `//x` from the root, `~/x` from the home; the rest is below the working directory, which a pattern of ours does not know. */
function pathPattern(kind: 'edit' | 'read', inside: string, refuse: (why: string) => Refused): Condition | Refused {
  if (/[[\]{}!]/.test(inside)) return refuse('its pattern has no like in Piton: write it as when.file');
  const folder = inside.endsWith('/') ? `${inside}**` : inside;
  if (folder.startsWith('//')) return { kind, file: folder.slice(1), notes: [] };
  if (folder.startsWith('~/')) return { kind, file: folder, notes: [] };
  const below = folder.replace(/^(?:\.?\/)+/, '');
  const isName = !below.includes('/');
  return {
    kind,
    file: below.startsWith('**/') ? below : `**/${below}`,
    notes: isName ? [] : [`if: ${inside} is compared anywhere, not only below the working directory`],
  };
}
