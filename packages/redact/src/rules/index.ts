import { CLOUDS } from './clouds.ts';
import { CODE_HOSTS } from './code-hosts.ts';
import { MESSAGES } from './messages.ts';
import { MODELS } from './models.ts';
import { PAYMENTS } from './payments.ts';
import type { Rule } from './rule.ts';
import { SERVICES } from './services.ts';
import { SHAPES, type Shape } from './shapes.ts';

/** Everything that is known by its shape. Where two rules could take the same text, the earlier one does. */
export interface RuleTable {
  readonly rules: readonly Rule[];
  readonly shapes: readonly Shape[];
}

export const TABLE: RuleTable = {
  rules: [...CODE_HOSTS, ...CLOUDS, ...MODELS, ...PAYMENTS, ...MESSAGES, ...SERVICES],
  shapes: SHAPES,
};
