export { hookReading } from './hook-reading.ts';
export { agentNames, lintContext } from './lint-context.ts';
