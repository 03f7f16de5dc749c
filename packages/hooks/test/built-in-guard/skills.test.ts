import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { personsCommand } from '../../src/built-in-guard/programs/piton-command.ts';

const SKILLS = new URL('../../../../plugin/skills/', import.meta.url);
/** What stands behind these words is for the person to run. */
const HANDED_OVER = /(?:[Gg]ive (?:the user|them)|Piton is not set up)/;

it.each(readdirSync(SKILLS))('the skill %s has the agent run nothing that is for a person alone', (name) => {
  const text = readFileSync(new URL(`${name}/SKILL.md`, SKILLS), 'utf8');
  expect(text).toMatch(new RegExp(`^---\nname: ${name}\ndescription: ".{40,}"\n---\n`));
  const own = text.split('\n').map((line) => line.split(HANDED_OVER)[0] ?? '');
  const commands = own.flatMap((line) => [...line.matchAll(/`piton ([^`]+)`/g)].map(([, words = '']) => words.split(' ')));
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.filter((words) => personsCommand(words) !== undefined)).toEqual([]);
  for (const words of commands)
    if (words[0] === 'rewind') expect(words).toContainEqual(expect.stringMatching(/^--(list|calls|dry-run|undo)$/));
});
