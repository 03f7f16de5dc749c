import { Command } from 'commander';
import type { Context } from '../context.ts';
import { withExamples } from '../examples.ts';
import { addServerCommands } from '../team-server/commands.ts';
import { type ConsentOptions, consentToBodies } from './consent.ts';
import { type JoinOptions, joinTeam } from './join.ts';
import { type LeaveOptions, leaveTeam } from './leave.ts';
import { type StatusOptions, showTeam } from './status.ts';

export function teamCommand(context: Context): Command {
  const command = new Command('team');
  command
    .command('status')
    .description('Show what this machine reports to its team, and what left (default)')
    .option('--what [which]', 'Print the very bytes: of the next upload, of one by its number, or of the inventory')
    .option('--json', 'Print JSON')
    .action((options: StatusOptions) => showTeam(context, options));
  command
    .command('join')
    .description("Report to a team's server what agents do on this machine. Shows first what would leave")
    .argument('<url>', 'Address of the server, with the code behind #, as the admin gave it to you')
    .option('--code <code>', 'The code, if the address has none. - reads it from stdin')
    .option('--repo <repository...>', 'Only these: a remote (github.com/team/*) or a directory. Nothing of any other leaves')
    .option('--bodies', 'Prompts, commands and outputs too, if the team wants them')
    .option('--name <name>', "This machine's name in the team (default: its host name)")
    .option('--dry-run', 'Show what would be reported, and change nothing')
    .option('--yes', 'Do not ask. Ignored when an agent runs the command')
    .option('--json', 'Print JSON')
    .action((url: string, options: JoinOptions) => joinTeam(context, url, options));
  command
    .command('consent')
    .description('Agree that prompts, commands and outputs leave too, from now on, or take that back')
    .option('--withdraw', 'Take it back: none leave any more, from none of your machines')
    .option('--dry-run', 'Show what would be done, and do nothing')
    .option('--yes', 'Do not ask. Ignored when an agent runs the command')
    .option('--json', 'Print JSON')
    .action((options: ConsentOptions) => consentToBodies(context, options));
  command
    .command('leave')
    .description('Report nothing more. Says what stays where')
    .option('--dry-run', 'Show what would be done, and do nothing')
    .option('--yes', 'Do not ask. Ignored when an agent runs the command')
    .option('--json', 'Print JSON')
    .action((options: LeaveOptions) => leaveTeam(context, options));
  addServerCommands(context, command);
  return withExamples(command, [
    'team join https://team.example/#code',
    "team join https://team.example/#code --repo 'github.com/team/*'",
    'team status',
    'team status --what | less',
    'team leave',
    'team serve --database postgres://app@localhost/team --secret-file team.secret',
    'team code 0b7e… --person Anna --url https://team.example',
  ]);
}
