import type { HookDefinition, Subscription } from '@piton/hooks';
import type { Colour } from '../output/paint.ts';
import type { Unheard } from './unheard.ts';

/** A row of the list. */
export type ListedHook = HookDefinition | Subscription;

/** The state of a hook: a word for the table, and the reason for the lines below it. */
export interface HookState {
  readonly word: 'ready' | 'shadow' | 'observes' | 'changed' | 'not trusted' | 'not executable' | 'broken' | 'disabled' | 'never';
  readonly why: string | null;
}

/** `here`: IDs of the agents on this machine. `unheard`: agents that do not report its event, if there are any. */
export function stateOf(hook: ListedHook, here: ReadonlySet<string>, unheard?: Unheard): HookState {
  if (!hook.enabled) return { word: 'disabled', why: null };
  const { status } = hook;
  if (status.kind === 'broken') return { word: 'broken', why: status.note };
  if (status.kind === 'not-executable') return { word: 'not executable', why: status.note };
  if (status.kind === 'not-trusted') return { word: 'not trusted', why: null };
  const missing = hook.targets?.filter((agent) => !here.has(agent)) ?? [];
  if (hook.targets !== undefined && missing.length === hook.targets.length)
    return { word: 'never', why: `it runs only in ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not installed` };
  if (unheard?.everywhere) return { word: 'never', why: unheard.why };
  if (status.kind === 'changed') return { word: 'changed', why: status.note };
  const why = unheard?.why ?? null;
  if (hook.shadow) return { word: 'shadow', why };
  return { word: hook.observe ? 'observes' : 'ready', why };
}

/** It runs, and its decision counts. */
export const mayDecide = (hook: HookDefinition, { word }: HookState): boolean => (word === 'ready' || word === 'changed') && !hook.observe;

const COLOURS: Readonly<Record<HookState['word'], Colour>> = {
  ready: 'green',
  shadow: 'cyan',
  observes: 'green',
  changed: 'yellow',
  'not trusted': 'yellow',
  'not executable': 'red',
  broken: 'red',
  disabled: 'dim',
  never: 'yellow',
};

export const stateColour = ({ word }: HookState): Colour => COLOURS[word];
