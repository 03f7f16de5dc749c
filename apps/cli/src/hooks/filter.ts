import type { HookDefinition } from '@piton/hooks';
import { parseAgentOption, parseAnyEventOption } from '../options/names.ts';

export interface FilterOptions {
  readonly tag?: readonly string[];
  readonly event?: string;
  readonly agent?: string;
}

/** The fields that a filter needs. A subscription has only these. */
type Filtered = Pick<HookDefinition, 'id' | 'name' | 'description' | 'tags' | 'targets'> & { readonly event: string };

/** Every word must occur in the ID, the description or a tag. Every tag must be present. */
export function hookFilter(words: readonly string[], options: FilterOptions): (hook: Filtered) => boolean {
  const wanted = words.map((word) => word.toLowerCase());
  const tags = (options.tag ?? []).flatMap((tag) => tag.split(',')).map((tag) => tag.trim().toLowerCase());
  const event = options.event === undefined ? undefined : parseAnyEventOption(options.event);
  const agent = options.agent === undefined ? undefined : parseAgentOption(options.agent).id;
  return (hook) => {
    const text = [hook.id, hook.name, hook.description ?? '', ...(hook.tags ?? [])].join('\n').toLowerCase();
    const hookTags = (hook.tags ?? []).map((tag) => tag.toLowerCase());
    return (
      wanted.every((word) => text.includes(word)) &&
      tags.every((tag) => hookTags.includes(tag)) &&
      (event === undefined || hook.event === event) &&
      (agent === undefined || hook.targets === undefined || hook.targets.includes(agent))
    );
  };
}
