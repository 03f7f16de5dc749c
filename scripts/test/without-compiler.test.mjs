import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

  it('says while it is downloaded for how long, and how much there is', { timeout: 120_000 }, async () => {
    const bin = join(root, 'slow');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    // An npm that has fetched something, and ends when it is told to.
    const npm = `#!/usr/bin/env node
const { existsSync, writeFileSync } = require('node:fs');
writeFileSync('part', Buffer.alloc(3e6));
setInterval(() => existsSync(${JSON.stringify(join(root, 'end'))}) && process.exit(1), 50);
`;
    writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 });
    symlinkSync('/usr/bin/env', join(bin, 'env'));
    const child = spawn(process.execPath, [SCRIPT, '--out', join(root, 'never', 'piton-forward')], {
      env: { PATH: bin, HOME: root, XDG_CACHE_HOME: join(root, 'empty') },
    });
    let said = '';
    const ended = new Promise((resolve) => child.on('close', resolve));
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (/^zig: downloading: \d+ s, 3 MB$/m.test(said)) writeFileSync(join(root, 'end'), '');
    });
    expect(await ended).toBe(1);
    expect(said).toMatch(/^zig: downloading .* once.*\n(?:zig: downloading: \d+ s, \d+ MB\n)+$/);
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
