export { hookReading } from './hook-reading.ts';
export { agentNames, lintWorld } from './lint-world.ts';
