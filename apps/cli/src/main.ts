import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { type Context, processContext } from './context.ts';
import { Failure } from './failure.ts';
import { Interrupted } from './interruption.ts';
import { showFailure } from './output/show-failure.ts';
import { buildProgram, commandWords, upToUnknownCommand, withDefaults } from './program.ts';

declare const PITON_VERSION: string;

/** Runs one command line. The process exits only here. */
async function main(): Promise<void> {
  const context = processContext(dirname(dirname(fileURLToPath(import.meta.url))), PITON_VERSION);
  // Whether the output was written is known only after the command is done.
  process.once('exit', () => {
    process.exitCode ||= context.exit.code;
  });
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    context.err(`piton needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
    process.exitCode = 1;
    return;
  }
  const given = withDefaults(process.argv.slice(2));
  const program = await buildProgram(context, commandWords(given));
  const args = upToUnknownCommand(program, given);
  (await import('./runtime/build-note.ts')).noteOtherBuild(context, args);
  try {
    if (args.length === 0) return await (await import('./commands/overview.ts')).showOverview(context);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = report(context, error);
  }
}

function report(context: Context, error: unknown): number {
  // Commander has already printed the error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Interrupted) {
    context.err('\nInterrupted.\n');
    return error.code;
  }
  if (!(error instanceof Failure)) {
    context.err(`piton: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }
  showFailure(context, error);
  return error.code;
}

/** Settles when the command is done. A bundle that is not a module has no `await` at its top. */
export const done = main();
