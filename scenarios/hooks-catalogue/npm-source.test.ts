import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { TestHome } from '@piton/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { piton, write } from '../hooks-test/setup.ts';
import { folderOf, isAdded, newHome, writeGuard } from './setup.ts';

interface Entry {
  readonly path: string;
  readonly text?: string;
  readonly type?: string;
  readonly mode?: number;
  readonly link?: string;
  readonly size?: number;
}

/** A tar archive as it stands here, whatever tar itself would refuse to write. */
function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, text = '', type = '0', mode = 0o644, link = '', size }) => {
    const head = Buffer.alloc(512);
    const bytes = Buffer.from(text);
    head.write(path, 0, 100, 'utf8');
    head.write(`${mode.toString(8).padStart(7, '0')}\0`, 100, 'latin1');
    head.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124, 'latin1');
    head.write('        ', 148, 'latin1');
    head.write(type, 156, 'latin1');
    head.write(link, 157, 100, 'utf8');
    head.write('ustar\x0000', 257, 'latin1');
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

interface Registry {
  readonly env: Record<string, string>;
  /** What was asked for. */
  readonly asked: string[];
}

/** A registry on the loopback interface that has this package only. */
async function registryWith(home: TestHome, name: string, tarballs: Readonly<Record<string, Buffer>>, lie?: Buffer): Promise<Registry> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    asked.push(path);
    const { port } = server.address() as AddressInfo;
    const versions = Object.entries(tarballs).map(([version, bytes]) => {
      const dist = {
        tarball: `http://127.0.0.1:${port}/-/${version}.tgz`,
        integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
      };
      return [version, { name, version, dist, scripts: { install: 'touch ran', prepack: 'touch ran', postinstall: 'touch ran' } }] as const;
    });
    const tarball = /^-\/(.+)\.tgz$/.exec(path)?.[1];
    if (tarball !== undefined && tarballs[tarball]) return void response.end(lie ?? tarballs[tarball]);
    if (path === name)
      return void response.end(
        JSON.stringify({ name, 'dist-tags': { latest: versions.at(-1)?.[0] }, versions: Object.fromEntries(versions) }),
      );
    response.statusCode = 404;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { asked, env: { npm_config_registry: url, npm_config_cache: join(home.root, 'npm-cache'), npm_config_fetch_retries: '0' } };
}

/** What npm itself makes of a folder. */
function packed(folder: string): Buffer {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts'], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as [{ filename: string }];
  return readFileSync(join(folder, filename.replace('@', '').replace('/', '-')));
}

function guardPackage(home: TestHome, version: string): Buffer {
  const folder = join(home.root, `package-${version}`);
  writeGuard(join(folder, 'hooks', 'no-force'), { version });
  writeGuard(join(folder, 'hooks', 'no-reset'), { version, denies: 'reset' });
  write(join(folder, 'package.json'), JSON.stringify({ name: '@team/guards', version, license: 'MIT' }));
  return packed(folder);
}

const HEAD = '---\ntype: hook\nversion: 1.0.0\ndescription: Does nothing.\nhook_event: stop\nhook_action: "true"\n---\n';

describe('hooks add of an npm package', () => {
  it('adds the hook of a version, pinned by the checksum of the registry, and runs none of its scripts', async () => {
    const home = newHome();
    const { env } = await registryWith(home, '@team/guards', {
      '1.0.0': guardPackage(home, '1.0.0'),
      '1.1.0': guardPackage(home, '1.1.0'),
    });
    const { code, stdout, stderr } = await piton(home, ['hooks', 'add', '@team/guards@1.0.0', '--hook', 'no-force', '--yes', '--json'], {
      env,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        name: 'no-force',
        version: '1.0.0',
        origin: { kind: 'npm', source: 'npm:@team/guards@1.0.0', version: '1.0.0', integrity: expect.stringMatching(/^sha512-/) },
      },
    ]);
    expect(existsSync(join(folderOf(home, 'no-force'), 'scripts', 'guard.sh'))).toBe(true);
    expect(existsSync(join(home.work, 'ran'))).toBe(false);
    const latest = JSON.parse(
      (await piton(home, ['hooks', 'add', 'npm:@team/guards', '--hook', 'no-reset', '--yes', '--json'], { env })).stdout,
    );
    expect(latest).toMatchObject([{ version: '1.1.0' }]);
  });

  it('never takes a bare name for a package: a misspelt one would fetch what somebody put there for it', async () => {
    const home = newHome();
    const { env, asked } = await registryWith(home, 'protect-path', {
      '1.0.0': gzipSync(tarOf([{ path: 'package/ARTIFACT.md', text: HEAD }])),
    });
    const { code, stderr } = await piton(home, ['hooks', 'add', 'protect-path', '--yes'], { env });
    expect([code, asked]).toEqual([2, []]);
    expect(stderr).toContain('did you mean protect-paths?');
    expect(stderr).toContain('npm:<name>');
    expect((await piton(home, ['hooks', 'add', 'npm:protect-path', '--yes'], { env })).code).toBe(0);
  });

  it('refuses a tarball that is not what the registry promised', async () => {
    const home = newHome();
    const lie = gzipSync(tarOf([{ path: 'package/ARTIFACT.md', text: HEAD.replace('nothing', 'evil') }]));
    const { env } = await registryWith(home, 'guard', { '1.0.0': gzipSync(tarOf([{ path: 'package/ARTIFACT.md', text: HEAD }])) }, lie);
    const { code, stderr } = await piton(home, ['hooks', 'add', 'npm:guard', '--yes'], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('npm could not get it')]);
    expect(isAdded(home, 'guard')).toBe(false);
  });

  it('says so where there is no such package', async () => {
    const home = newHome();
    const { env } = await registryWith(home, 'guard', {});
    const { code, stderr } = await piton(home, ['hooks', 'add', 'npm:no-such-guard', '--yes'], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('npm could not get it: 404')]);
  });

  it('reads no settings of npm that the project brings', async () => {
    const home = newHome();
    const good = await registryWith(home, 'guard', { '1.0.0': gzipSync(tarOf([{ path: 'package/ARTIFACT.md', text: HEAD }])) });
    const bad = await registryWith(home, 'guard', { '6.6.6': gzipSync(tarOf([{ path: 'package/ARTIFACT.md', text: HEAD }])) });
    write(join(home.work, '.npmrc'), `registry=${bad.env.npm_config_registry}\n`);
    write(join(home.root, '.npmrc'), `registry=${good.env.npm_config_registry}\n`);
    const env = { npm_config_cache: join(home.root, 'npm-cache') };
    const { stdout } = await piton(home, ['hooks', 'add', 'npm:guard', '--yes', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject([{ origin: { version: '1.0.0' } }]);
    expect(bad.asked).toEqual([]);
  });

  it.each([
    ['package.json', '{}'],
    ['package.json', '{"workspaces":["*"]}'],
    ['node_modules/x', ''],
  ])('reads no settings of npm that somebody left beside temporary files, with %s: %s', async (name, text) => {
    const home = newHome();
    const good = await registryWith(home, 'guard', { '1.0.0': gzipSync(tarOf([{ path: 'package/ARTIFACT.md', text: HEAD }])) });
    const bad = await registryWith(home, 'guard', { '6.6.6': gzipSync(tarOf([{ path: 'package/ARTIFACT.md', text: HEAD }])) });
    // As /tmp: everybody may write there, and npm looks for a project in the folders above its own.
    const TMPDIR = join(home.root, 'shared', 'tmp');
    mkdirSync(TMPDIR, { recursive: true });
    write(join(TMPDIR, name), text);
    write(join(TMPDIR, '.npmrc'), `registry=${bad.env.npm_config_registry}\n`);
    write(join(home.root, '.npmrc'), `registry=${good.env.npm_config_registry}\n`);
    const env = { TMPDIR, npm_config_cache: join(home.root, 'npm-cache') };
    const { stdout } = await piton(home, ['hooks', 'add', 'npm:guard', '--yes', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject([{ origin: { version: '1.0.0' } }]);
    expect(bad.asked).toEqual([]);
  });

  it.each<[string, Entry[], string]>([
    ['a path that leads out', [{ path: 'package/../../evil', text: 'x' }], 'a path in it leads elsewhere'],
    ['an absolute path', [{ path: '/tmp/evil', text: 'x' }], 'a path in it leads elsewhere'],
    ['a symbolic link', [{ path: 'package/link', type: '2', link: '/etc/passwd' }], 'link (a symbolic link)'],
    ['a hard link', [{ path: 'package/link', type: '1', link: '/etc/passwd' }], 'link (a hard link)'],
    ['a pipe', [{ path: 'package/pipe', type: '6' }], 'pipe (a pipe)'],
    ['a device', [{ path: 'package/disk', type: '4' }], 'disk (a device)'],
    ["a part of git's own folder", [{ path: 'package/.git/hooks/post-commit', text: 'x', mode: 0o755 }], "a part of git's own folder"],
    ['the same file twice', [{ path: 'package/ARTIFACT.md', text: HEAD }], 'two of its files have one name'],
    [
      'a file that is also a folder',
      [
        { path: 'package/a', text: 'x' },
        { path: 'package/a/b', text: 'x' },
      ],
      'is a file and a folder',
    ],
    ['a size that is not there', [{ path: 'package/a', text: 'x', size: 1_000_000 }], 'ends in the middle'],
    ['a name that writes lines of its own', [{ path: 'package/a\n  signed by you\u001b[2J', text: 'x' }], 'hidden characters'],
  ])('a hostile package with %s is refused', async (_, more, said) => {
    const home = newHome();
    const { env } = await registryWith(home, 'guard', { '1.0.0': gzipSync(tarOf([{ path: 'package/ARTIFACT.md', text: HEAD }, ...more])) });
    const { code, stderr } = await piton(home, ['hooks', 'add', 'npm:guard', '--yes'], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
    expect(stderr).not.toContain('\u001b[2J');
    expect(existsSync(join(home.places.config, 'artifacts'))).toBe(false);
  });

  it.each([
    ['an option', 'npm:--registry=http://127.0.0.1:1'],
    ['a repository in place of a version', 'npm:guard@git+ssh://127.0.0.1/x'],
    ['a folder in place of a version', 'npm:guard@file:../x'],
    ['an alias', 'npm:guard@npm:evil'],
  ])('refuses %s', async (_, source) => {
    const home = newHome();
    mkdirSync(join(home.root, 'x'), { recursive: true });
    writeFileSync(join(home.root, 'x', 'ARTIFACT.md'), HEAD);
    const { code, stderr } = await piton(home, ['hooks', 'add', source, '--yes']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/not the name of an npm package|not a version of a package/)]);
  });
});
