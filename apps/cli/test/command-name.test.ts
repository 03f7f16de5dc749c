import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withCommandName } from '../src/command-name.ts';
import type { Context } from '../src/context.ts';

const here = { env: { HOME: '/nowhere' }, cwd: '/', distribution: '/opt/x', script: '/opt/x/cli.mjs' } as unknown as Context;
const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
const commands = [...page.matchAll(/^## `piton (\w+)`/gm)].map(([, name]) => name);

it('a hint that says already how it is run is left alone', () => {
  for (const text of ['npx piton init', 'npx @piton/cli init', "'/a b/piton' init", '~/x/piton init'])
    expect(withCommandName(here, text)).toBe(text);
});

it('hints name the command as it can be typed here', () => {
  commands.push('help');
  expect(commands.length).toBeGreaterThan(15);
  expect(commands.filter((name) => withCommandName(here, `do \`piton ${name}\``) !== `do \`node /opt/x/cli.mjs ${name}\``)).toEqual([]);
});
