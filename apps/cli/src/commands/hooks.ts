import { Command } from 'commander';
import type { Context } from '../context.ts';
import { withExamples } from '../examples.ts';
import { hooksAddCommand } from './hooks/add.ts';
import { hooksBacktestCommand } from './hooks/backtest.ts';
import { hooksExplainCommand } from './hooks/explain.ts';
import { hooksListCommand } from './hooks/list.ts';
import { hooksNewCommand } from './hooks/new.ts';
import { hooksPromoteCommand } from './hooks/promote.ts';
import { hooksRecordCommand } from './hooks/record.ts';
import { hooksRemoveCommand } from './hooks/remove.ts';
import { hooksReplayCommand } from './hooks/replay.ts';
import { hooksTestCommand } from './hooks/test.ts';

export function hooksCommand(context: Context): Command {
  const command = new Command('hooks').description('your hooks: make one, see how they fare, and what they said');
  command.addCommand(hooksListCommand(context));
  command.addCommand(hooksNewCommand(context));
  command.addCommand(hooksAddCommand(context));
  command.addCommand(hooksRemoveCommand(context));
  command.addCommand(hooksExplainCommand(context));
  command.addCommand(hooksTestCommand(context));
  command.addCommand(hooksBacktestCommand(context));
  command.addCommand(hooksPromoteCommand(context));
  command.addCommand(hooksRecordCommand(context));
  command.addCommand(hooksReplayCommand(context));
  return withExamples(command, [
    'hooks',
    'hooks new guard no-force-push',
    'hooks list secret',
    'hooks list --event pre_tool_use',
    'hooks add block-destructive-commands',
    'hooks explain 01K',
    'hooks test no-rm-rf',
    'hooks backtest no-rm-rf --since 30d',
  ]);
}
