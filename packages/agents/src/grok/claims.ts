import type { Agent } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';

/** Grok Build also runs the hooks of other agents' files. Its payloads have its own spelling in them, whoever's hook it is. */
export const claims: NonNullable<Agent['claims']> = (payload) =>
  isObject(payload) && textOf(payload, 'hookEventName') !== undefined && textOf(payload, 'workspaceRoot') !== undefined;
