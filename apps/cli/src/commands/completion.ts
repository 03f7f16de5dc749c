import { Argument, Command } from 'commander';
import type { Call } from '../command-table.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { commandTree } from '../completion/tree.ts';
import { zshScript } from '../completion/zsh.ts';
import type { Context } from '../context.ts';
import { withExamples } from '../examples.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function completionCommand(context: Context, { wholeProgram }: Call): Command {
  const command = new Command('completion')
    .addArgument(new Argument('<shell>', 'Shell').choices(Object.keys(SCRIPTS)))
    .action(async (shell: keyof typeof SCRIPTS) => context.out(SCRIPTS[shell](commandTree(await wholeProgram()))));
  return withExamples(command, [
    'completion bash > ~/.local/share/bash-completion/completions/piton',
    'completion zsh > ~/.zfunc/_piton    # with fpath+=~/.zfunc before compinit',
    'completion fish > ~/.config/fish/completions/piton.fish',
  ]);
}
