import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { describe, expect, it } from 'vitest';
import { BINARIES, copyProgram, createForwarderHome } from './home.ts';
import { option } from './spawned.ts';

describe.each(BINARIES)('the places of $build', ({ binary }) => {
  const path = binary();

  it('are those that the contracts compute', async () => {
    const home = createForwarderHome(path);
    const { hash, environment, sockets } = home.places;
    expect(await option(home, '--where')).toEqual({ code: 0, signal: null, stdout: `${hash}\n${environment}\n${sockets}\n`, stderr: '' });
    home.remove();
  });

  it('are taken from the real home, whatever link leads there', () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-päth with space-')));
    const runtime = join(root, 'real', 'runtime', '9.9.9');
    mkdirSync(runtime, { recursive: true });
    copyProgram(path, join(runtime, 'piton-forward'));
    symlinkSync('real', join(root, 'link'));
    const places = placesOf(join(root, 'link'), root);
    const said = execFileSync(join(root, 'link', 'runtime', '9.9.9', 'piton-forward'), ['--where'], { encoding: 'utf8' });
    expect(said).toBe(`${places.hash}\n${places.environment}\n${places.sockets}\n`);
    expect(places.environment.startsWith(join(root, 'real'))).toBe(true);
    rmSync(root, { recursive: true });
  });

  it.skipIf(!canUnshare())('are others in a mount namespace of its own', () => {
    const home = createForwarderHome(path);
    const inside = execFileSync('unshare', ['--mount', home.forwarder, '--where'], { encoding: 'utf8' }).split('\n');
    expect(inside[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(inside[0]).not.toBe(home.places.hash);
    home.remove();
  });

  it('are none outside of a runtime: a person is told, an agent is not', () => {
    const root = mkdtempSync(join(tmpdir(), 'piton-lost-'));
    const lost = join(root, 'piton-forward');
    copyProgram(path, lost);
    expect(() => execFileSync(lost, ['--where'], { stdio: 'pipe' })).toThrow(/does not lie in/);
    expect(execFileSync(lost, ['claude', 'Stop', 'user', '5000', '-'], { input: '{}' }).toString()).toBe('');
    rmSync(root, { recursive: true });
  });

  it('are no matter to a broken command line: it must not break the agent', () => {
    const home = createForwarderHome(path);
    for (const args of [[], ['claude'], ['claude', 'Stop', 'user', 'soon', '-'], ['claude', 'Stop', 'user', '-5', '-']]) {
      expect(execFileSync(home.forwarder, args, { input: '{}' }).toString()).toBe('');
    }
    expect(home.journalNames()).toEqual([]);
    home.remove();
  });
});

function canUnshare(): boolean {
  try {
    return (
      execFileSync('unshare', ['--mount', 'readlink', '/proc/self/ns/mnt'], { encoding: 'utf8', stdio: 'pipe' }).trim() !==
      readlinkSync('/proc/self/ns/mnt')
    );
  } catch {
    return false;
  }
}
