import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedVersion } from '../../src/versions/installed-version.ts';

const agent: Agent = { ...(AGENTS[0] as Agent), id: 'tool', aliases: [], programs: ['tool'] };

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'piton-version-')));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

function write(path: string, text: string, mode = 0o755): string {
  const file = join(place, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const found = (path: string, cwd = place) =>
  installedVersion({ env: { PATH: `${path}:/usr/bin:/bin`, HOME: place, PITON_HOME: join(place, 'piton') }, cwd }, agent);

const ran = (): boolean => existsSync(join(place, 'ran'));
/** Says its version, and leaves a trace of having been run. */
const PROGRAM = (version: string): string => `#!/bin/sh\ntouch "${place}/ran"\necho "tool ${version} (A Tool)"\n`;
const manifest = (version: unknown, bin: unknown = { tool: 'bin/tool' }): string => JSON.stringify({ name: '@some/tool', version, bin });

describe('the installed version of an agent', () => {
  it('is that of the package its program is the command of, without running it', async () => {
    write('lib/node_modules/@some/tool/package.json', manifest('1.2.3'));
    const program = write('lib/node_modules/@some/tool/bin/tool', PROGRAM('9.9.9'));
    mkdirSync(join(place, 'bin'));
    symlinkSync(program, join(place, 'bin', 'tool'));
    expect(await found(join(place, 'bin'))).toEqual({ program: join(place, 'bin', 'tool'), version: '1.2.3' });
    expect(ran()).toBe(false);
  });

  it('is that of the package above another manifest, as some ship it', async () => {
    write('lib/node_modules/@some/tool/package.json', manifest('1.2.3', { tool: 'dist/tool' }));
    write('lib/node_modules/@some/tool/dist/package.json', manifest('1.2.2', { tool: 'dist/tool' }));
    write('lib/node_modules/@some/tool/dist/tool', PROGRAM('9.9.9'));
    expect(await found(join(place, 'lib/node_modules/@some/tool/dist'))).toMatchObject({ version: '1.2.3' });
  });

  it.each([
    ['of somebody else', manifest('1.2.3', { other: 'other.js' })],
    ['without a version', manifest(undefined)],
    ['with a version that is none', manifest('latest')],
    ['that is broken', '{'],
    ['without a command', manifest('1.2.3', null)],
  ])('is asked of the program beside a package.json %s', async (_, text) => {
    write('package.json', text);
    write('bin/tool', PROGRAM('4.5.6'));
    expect(await found(join(place, 'bin'))).toMatchObject({ version: '4.5.6' });
  });

  it('is unknown where the program does not tell it, and undefined where there is none', async () => {
    write('bin/tool', '#!/bin/sh\nexit 1\n');
    expect(await found(join(place, 'bin'))).toEqual({ program: join(place, 'bin', 'tool'), version: null });
    expect(await found(join(place, 'nowhere'))).toBeUndefined();
  });

  it('is asked outside of working trees: neither its directory nor its interpreter comes from one', async () => {
    mkdirSync(join(place, 'project', '.git'), { recursive: true });
    write('project/bin/interpreter', `#!/bin/sh\ntouch "${place}/ran"\necho 6.6.6\n`);
    write('safe/interpreter', '#!/bin/sh\nexec /bin/sh "$@"\n');
    write('bin/tool', `#!/usr/bin/env interpreter\npwd > "${place}/cwd"\necho 1.0.0\n`);
    const path = [join(place, 'project', 'bin'), join(place, 'safe'), join(place, 'bin')].join(':');
    expect(await found(path, join(place, 'project'))).toMatchObject({ version: '1.0.0' });
    expect(ran()).toBe(false);
  });

  describe('that lies in a working tree', () => {
    beforeEach(() => mkdirSync(join(place, 'project', '.git'), { recursive: true }));

    it('is never run', async () => {
      write('project/bin/tool', PROGRAM('1.0.0'));
      expect(await found(join(place, 'project', 'bin'), join(place, 'project'))).toMatchObject({ version: null });
      expect(ran()).toBe(false);
    });
    it('is never run through a link from outside either', async () => {
      const program = write('project/tool', PROGRAM('1.0.0'));
      mkdirSync(join(place, 'bin'));
      symlinkSync(program, join(place, 'bin', 'tool'));
      expect(await found(join(place, 'bin'), join(place, 'project'))).toMatchObject({ version: null });
      expect(ran()).toBe(false);
    });
    it('gives way to one outside', async () => {
      write('project/bin/tool', PROGRAM('6.6.6'));
      const outside = write('bin/tool', '#!/bin/sh\necho 1.0.0\n');
      const path = `${join(place, 'project', 'bin')}:${join(place, 'bin')}`;
      expect(await found(path, join(place, 'project'))).toEqual({ program: outside, version: '1.0.0' });
      expect(ran()).toBe(false);
    });
  });
});
