import { userInfo } from 'node:os';
import type { AdminPorts } from '@piton/team';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { consent } from '../question.ts';
import { type DatabaseOptions, databaseFailure, databaseUrl, teamSecret } from './program.ts';

export type AdminOptions = DatabaseOptions & { readonly json?: boolean };
/** Of a command that asks before it changes something. */
export type ConfirmedOptions = AdminOptions & { readonly dryRun?: boolean; readonly yes?: boolean };

export const DATABASE_HELP = 'postgres://… of the role that owns nothing (default: $PITON_TEAM_DATABASE)';
export const SECRET_HELP = 'File with 32 bytes in base64, the same for all replicas (default: $PITON_TEAM_SECRET)';

export const withDatabase = (command: Command): Command =>
  command.option('--database <url>', DATABASE_HELP).option('--secret-file <file>', SECRET_HELP).option('--json', 'Print JSON');

export const withConfirmation = (command: Command): Command =>
  withDatabase(
    command
      .option('--dry-run', 'Show what would be done, and do nothing')
      .option('--yes', 'Do not ask. Ignored when an agent runs the command'),
  );

export const portsOf = (context: Context, options: AdminOptions): AdminPorts => ({
  url: databaseUrl(context, options),
  secret: teamSecret(context, options),
  user: userName(),
});

/** A user without an entry in the password file, as in a container, has none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

export async function asked<T>(work: Promise<T>, migrating = false): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw databaseFailure(error, migrating);
  }
}

/** A yes of the person's. Without a database in the command: an address may hold a password. */
export const confirmed = (context: Context, options: ConfirmedOptions, question: string, command: string): Promise<boolean> =>
  consent(context, { question, yes: options.yes === true, command });
