import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWhere } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zigHere } from '../zig.mjs';

const SCRIPT = new URL('../forwarder.mjs', import.meta.url).pathname;

let root;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'piton-no-compiler-'));
  mkdirSync(join(root, 'bin'));
  symlinkSync(process.execPath, join(root, 'bin', 'node'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Node is all that is on PATH. */
const build = (cache) =>
  spawnSync(process.execPath, [SCRIPT, '--out', join(root, 'made', 'piton-forward')], {
    encoding: 'utf8',
    // What zig has compiled of musl stays where it is: it takes minutes.
    env: { PATH: join(root, 'bin'), HOME: root, XDG_CACHE_HOME: cache, ZIG_GLOBAL_CACHE_DIR: join(homedir(), '.cache', 'zig') },
  });

describe('a clone without a C compiler', () => {
  it('names zig, its size and where it goes before it is downloaded, and why it could not be had', () => {
    const { status, stdout, stderr } = build(join(root, 'empty'));
    expect(stdout).toMatch(/^zig: downloading [\d.]+ from npm, once, into .*empty\/piton\/zig-[\d.]+ \(some 400 MB on disk\)\n$/);
    expect(stderr).toMatch(/^forwarder: zig could not be downloaded: .*npm.*ENOENT\n$/);
    expect(status).toBe(1);
  });
});

describeWhere(zigHere() ? null : 'zig is not here, run node scripts/zig.mjs', 'a clone with zig and without a C compiler', () => {
  it('builds a static forwarder that runs', { timeout: 600_000 }, () => {
    const { status, stderr } = build(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const program = join(root, 'made', 'piton-forward');
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout).toBe(`${version}\n`);
    expect(readFileSync(program).includes('/lib64/ld-linux')).toBe(false);
  });
});
