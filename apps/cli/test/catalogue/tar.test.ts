import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readTarball } from '../../src/catalogue/tar.ts';

const MB = 1024 * 1024;
const LONG = `${'a-folder-with-a-long-name/'.repeat(8)}file.txt`;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'piton-tar-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  for (const [path, text] of [
    ['package/a.txt', 'one'],
    [`package/${LONG}`, 'two'],
    ['package/ü/é.txt', 'three'],
    ['package/empty', ''],
  ] as const) {
    mkdirSync(dirname(join(made, path)), { recursive: true });
    writeFileSync(join(made, path), text);
  }
  chmodSync(join(made, 'package/a.txt'), 0o755);
  symlinkSync('a.txt', join(made, 'package/link'));
  return made;
}

describe('archives that tar itself made', () => {
  it.each(['gnu', 'pax', 'ustar'])('in the format %s are read with their paths, bytes and modes', (format) => {
    const archive = execFileSync('tar', [`--format=${format}`, '-cz', '-C', folder(), 'package']);
    const entries = readTarball(archive, 64 * MB);
    const files = Object.fromEntries(entries.filter(({ not }) => not === undefined).map(({ path, bytes }) => [path, bytes.toString()]));
    expect(files).toEqual({ 'package/a.txt': 'one', [`package/${LONG}`]: 'two', 'package/ü/é.txt': 'three', 'package/empty': '' });
    expect(entries.find(({ path }) => path === 'package/a.txt')?.executable).toBe(true);
    expect(entries.find(({ path }) => path === 'package/empty')?.executable).toBe(false);
    expect(entries.find(({ path }) => path === 'package/link')).toMatchObject({ not: 'a symbolic link' });
  });
});

describe('what is no such archive', () => {
  it.each<[string, Buffer, string]>([
    ['bytes that are no gzip', Buffer.from('hello'), 'it is no gzip archive'],
    ['a gzip of something else', gzipSync(Buffer.from('x'.repeat(2000))), 'it is no tar archive'],
    ['nothing', gzipSync(Buffer.alloc(0)), 'the archive is empty'],
    ['zeros', gzipSync(Buffer.alloc(4096)), 'the archive is empty'],
    ['more than there is room for', gzipSync(Buffer.alloc(3 * MB)), 'larger than 2 MB unpacked'],
  ])('%s is said', (_, archive, said) => {
    expect(() => readTarball(archive, 2 * MB)).toThrow(said);
  });

  it('any cut or changed byte of a head is an error or another whole archive, never a hang', () => {
    const whole = execFileSync('tar', ['-c', '-C', folder(), 'package']);
    for (let at = 0; at < 1024; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      try {
        for (const { path, bytes } of readTarball(gzipSync(changed, { level: 1 }), 64 * MB))
          expect([typeof path, Buffer.isBuffer(bytes)]).toEqual(['string', true]);
      } catch (error) {
        expect((error as Error).message).toMatch(/archive|too large/);
      }
    }
  });
});
