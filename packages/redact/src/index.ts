export { installKey } from './install-key.ts';
export { NO_OWN_RULES, type OwnRules, readOwnRules } from './own-rules.ts';
export type { Redacted } from './redacted.ts';
export { createRedactor, type Found, type Redactor } from './redactor.ts';
