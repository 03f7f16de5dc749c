export { type RunOptions, runCommand } from './command.ts';
