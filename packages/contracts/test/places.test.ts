import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeDirectories, makePrivate, placesOf } from '../src/places.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-places-')));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('what Piton keeps', () => {
  it('moves as a whole with PITON_HOME', () => {
    expect(homeDirectories({ PITON_HOME: '/p', HOME: '/h', XDG_STATE_HOME: '/s' })).toEqual({ home: '/p/state', config: '/p/config' });
  });

  it("lies in the platform's state and config directories otherwise", () => {
    expect(homeDirectories({ HOME: '/h' })).toEqual({ home: '/h/.local/state/piton', config: '/h/.config/piton' });
    expect(homeDirectories({ HOME: '/h', XDG_STATE_HOME: '/s', XDG_CONFIG_HOME: '/c' })).toEqual({ home: '/s/piton', config: '/c/piton' });
  });
});

describe('an environment', () => {
  it('is the same through a link to the home, and another for another home', () => {
    const [one, two, link] = [join(root, 'one'), join(root, 'two'), join(root, 'link')];
    mkdirSync(one);
    mkdirSync(two);
    symlinkSync(one, link);
    const places = placesOf(one, join(root, 'config'));
    expect(placesOf(link, join(root, 'config'))).toEqual(places);
    expect(placesOf(two, join(root, 'config')).hash).not.toBe(places.hash);
    expect(places.hash).toMatch(/^[0-9a-f]{16}$/);
    expect(places.environment).toBe(join(one, 'env', places.hash));
    expect(places.forwarder).toBe(join(one, 'runtime', 'current', 'piton-forward'));
  });

  it('has sockets whose paths fit into a socket address, however deep the home lies', () => {
    const deep = join(root, 'a'.repeat(100), 'b'.repeat(100));
    mkdirSync(deep, { recursive: true });
    expect(Buffer.byteLength(placesOf(deep, deep).hookSocket)).toBeLessThan(108);
    expect(Buffer.byteLength(placesOf(deep, deep).cliSocket)).toBeLessThan(108);
  });
});

describe('a private directory', () => {
  it('is made for nobody else to read, and found again', () => {
    const path = join(root, 'deep', 'private');
    expect(makePrivate(path)).toBeUndefined();
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(makePrivate(path)).toBeUndefined();
  });

  it('is none if others can read it, if it is a link, or a file', () => {
    const open = join(root, 'open');
    mkdirSync(open);
    chmodSync(open, 0o755);
    expect(makePrivate(open)).toContain('can be read by others');
    const ours = join(root, 'ours');
    mkdirSync(ours, { mode: 0o700 });
    symlinkSync(ours, join(root, 'link'));
    expect(makePrivate(join(root, 'link'))).toContain('is not a directory');
    writeFileSync(join(root, 'file'), '');
    expect(makePrivate(join(root, 'file'))).toBeDefined();
  });
});
