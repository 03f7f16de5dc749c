import { appendFileSync, chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { versionOnDisk } from '../../src/versions/program-on-disk.ts';

const agent: Agent = { ...(AGENTS[0] as Agent), id: 'tool', aliases: [], programs: ['tool'] };
const before = process.env['PATH'];
let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'piton-on-disk-')));
  process.env['PATH'] = `${place}:/usr/bin:/bin`;
});
afterEach(() => {
  process.env['PATH'] = before;
  rmSync(place, { recursive: true, force: true });
});

function install(version: string): void {
  writeFileSync(join(place, 'tool'), `#!/bin/sh\necho asked >> "${place}/asked"\necho ${version}\n`);
  chmodSync(join(place, 'tool'), 0o755);
}
const asked = (): number => (existsSync(join(place, 'asked')) ? readFileSync(join(place, 'asked'), 'utf8').split('\n').length - 1 : 0);

describe('the version of a program on disk', () => {
  it('is asked once, and again when the file is another', async () => {
    install('1.0.0');
    const first = await versionOnDisk(agent, undefined);
    expect(first).toMatchObject({ version: '1.0.0' });
    expect(await versionOnDisk(agent, first)).toEqual(first);
    expect(asked()).toBe(1);
    install('2.0.0-longer');
    expect(await versionOnDisk(agent, first)).toMatchObject({ version: '2.0.0-longer' });
    expect(asked()).toBe(2);
    appendFileSync(join(place, 'tool'), 'exit 1\n');
    expect(await versionOnDisk(agent, first)).toBeUndefined();
  });
  it('is not asked of a program in a working tree', async () => {
    install('1.0.0');
    mkdirSync(join(place, '.git'));
    expect(await versionOnDisk(agent, undefined)).toBeUndefined();
    expect(asked()).toBe(0);
  });
});
