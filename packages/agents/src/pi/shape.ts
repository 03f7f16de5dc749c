import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or are documented. */
export const shape: PayloadShape = {
  head: ['type', 'ctx', 'toolName', 'reason', 'text'],
  fields: wordsIn(`
    content continue continued ctx details fromExtension input isError lastText outcome reason source structuredContent text
    toolCallId toolName type willRetry
  `),
};
