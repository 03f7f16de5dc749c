import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

it('where agents run another build, a hint to move them names the command that can', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'piton-name-')));
  try {
    const [current, distribution] = [join(home, 'state', 'runtime', 'current'), join(home, 'package')];
    for (const each of [current, distribution]) mkdirSync(each, { recursive: true });
    writeFileSync(join(current, 'piton'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(current, 'build-id'), 'older\n');
    const context = { ...here, env: { PITON_HOME: home }, distribution, script: join(distribution, 'cli.mjs') } as unknown as Context;
    const named = (): string => withCommandName(context, 'piton init, then piton status');
    for (const [build, init] of [
      ['newer', `node ${join(distribution, 'cli.mjs')} init`],
      ['older', `${join(current, 'piton')} init`],
    ] as const) {
      writeFileSync(join(distribution, 'build-id'), `${build}\n`);
      expect(named()).toBe(`${init}, then ${join(current, 'piton')} status`);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
