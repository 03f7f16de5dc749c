export { cleanEnvironment } from './clean-environment.ts';
export { type RunOptions, runCommand } from './command.ts';
