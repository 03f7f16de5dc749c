import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { bashScript } from '../src/completion/bash.ts';
import { fishScript } from '../src/completion/fish.ts';
import { commandTree } from '../src/completion/tree.ts';
import { zshScript } from '../src/completion/zsh.ts';

const program = new Command('piton');
program.command('init').description("set it up, don't ask").option('--dry-run', 'only say').addOption(new Option('--secret').hideHelp());
const events = program.command('events').description('what happened');
events.command('list').description('all').option('-n, --limit <count>', 'how many');
events.command('tail').description('watch');
program.command('hidden', { hidden: true });
const tree = commandTree(program);

const directory = mkdtempSync(join(tmpdir(), 'piton-completion-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;
function accepts(shell: string, flag: string, script: string): boolean {
  const file = join(directory, `piton.${shell}`);
  writeFileSync(file, script);
  return spawnSync(shell, [flag, file]).status === 0;
}

/** Commands whose arguments are IDs. */
const whole = new Command('piton');
const wholeEvents = whole.command('events');
wholeEvents.command('list').option('--session <id>').option('--agent <name>');
wholeEvents.command('show').argument('<id>').option('--json', 'as JSON');
whole.command('rewind').argument('[checkpoint]');

const offered = (...words: string[]): string[] => offeredBy(tree, 'piton', words);

/** Asks a real bash for the completions of a line. */
function offeredBy(of: typeof tree, program: string, words: readonly string[]): string[] {
  const script = join(directory, 'piton.bash');
  writeFileSync(script, bashScript(of));
  const ask = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _piton; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', ask, 'bash', script, program, ...words], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

describe('completion', () => {
  it('has the whole command tree, without hidden commands', () => {
    expect(tree.children.map(({ path }) => path.join(' '))).toEqual(['init', 'events']);
    expect(tree.children[0]?.options.flatMap(({ flags }) => flags)).toEqual(['--dry-run', '-h', '--help']);
  });

  it.skipIf(!has('bash'))('offers commands, their subcommands and their options in a real bash', () => {
    expect(offered('')).toEqual(expect.arrayContaining(['init', 'events']));
    expect(offered('ev')).toEqual(['events']);
    expect(offered('events', '')).toEqual(expect.arrayContaining(['list', 'tail']));
    expect(offered('events', 'list', '--l')).toEqual(['--limit']);
    expect(offered('init', '--dry-run', '--')).toEqual(['--dry-run', '--help']);
  });

  it.skipIf(!has('bash'))('asks the command for what only the store knows: IDs, and values of options', () => {
    // A command of the same name that answers with its own arguments.
    const program = join(directory, 'piton');
    writeFileSync(program, ['#!/bin/sh', 'echo "@"', 'echo "of-$2"', 'echo "$1-it"', ''].join('\n'), { mode: 0o755 });
    const asked = (...words: string[]): string[] => offeredBy(commandTree(whole), program, words);
    expect(asked('events', 'show', '')).toEqual(expect.arrayContaining(['@', 'of-event-ids']));
    expect(asked('events', 'list', '--session', '')).toEqual(['@', 'of-sessions', 'candidates-it']);
    expect(asked('events', 'list', '--agent', 'of')).toEqual(['of-agents']);
    expect(asked('rewind', 'of')).toEqual(['of-checkpoints']);
    expect(asked('events', 'show', '--')).toEqual(['--json', '--help']);
    expect(asked('events', '')).not.toContain('@');
  });

  it.skipIf(!has('bash'))('expands nothing of what it is answered', () => {
    const program = join(directory, 'hostile');
    const hit = join(directory, 'hit');
    writeFileSync(program, `#!/bin/sh\ncat << 'END'\na$(touch$IFS${hit})\n*\nplain\nEND\n`, { mode: 0o755 });
    expect(offeredBy(commandTree(whole), program, ['events', 'show', ''])).toEqual([`a$(touch$IFS${hit})`, '*', 'plain']);
    expect(existsSync(hit)).toBe(false);
  });

  it.skipIf(!has('zsh'))('is a script that zsh accepts', () => {
    expect(accepts('zsh', '-n', zshScript(tree))).toBe(true);
  });

  it.skipIf(!has('fish'))('is a script that fish accepts', () => {
    expect(accepts('fish', '--no-execute', fishScript(tree))).toBe(true);
  });

  it('quotes descriptions for zsh and fish', () => {
    expect(zshScript(tree)).toContain("'init:set it up, don'\\''t ask'");
    expect(fishScript(tree)).toContain("-a 'init' -d 'set it up, don\\'t ask'");
  });
});
