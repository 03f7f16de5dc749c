import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../json-fields.ts';

/** The fields that our plugin sends. */
export const shape: PayloadShape = {
  head: ['input', 'output', 'directory'],
  fields: wordsIn(`
    continued directory input lastText mcpServer output rootID
  `),
};
