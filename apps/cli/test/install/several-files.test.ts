import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyAgent, installedAt, planAgent, planRemoval, removeAgent } from '../../src/install/agent-plan.ts';
import { configPlaces, type InstallScope, whereOf } from '../../src/install/config-place.ts';
import { installTarget, lacksExecution } from '../../src/install/edit.ts';
import { fileAgent } from './file-agent.ts';

let home: string;
const hooks = (name = '') => join(home, '.filed/hooks', name);
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const places = () => placesOf(join(home, 'state'), join(home, 'config'));
const level = (scope: InstallScope = 'user') => configPlaces(fileAgent, scope, home, {});
const target = (wanted: readonly string[] = [], scope: InstallScope = 'user') => ({
  ...installTarget(join(home, 'state/runtime/current/piton-forward'), scope, home),
  wanted,
});
const install = (wanted: readonly string[] = [], scope: InstallScope = 'user') =>
  applyAgent(places(), planAgent(level(scope), target(wanted, scope)));
const uninstall = (scope: InstallScope = 'user') => removeAgent(places(), planRemoval(places(), level(scope), target([], scope)));

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'piton-several-')));
  mkdirSync(join(home, 'state'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('an agent with a file for each event', () => {
  it('gets those files and no more, executable at either level', () => {
    for (const scope of ['user', 'project'] as const) {
      install([], scope);
      expect(readdirSync(hooks())).toEqual(['After', 'Before']);
      expect([modeOf(hooks('Before')), modeOf(hooks('After'))]).toEqual(['755', '755']);
      expect(installedAt(level(scope), target()).map(({ registration }) => registration.nativeEvent)).toEqual(['Before', 'After']);
      uninstall(scope);
    }
  });

  it('does nothing the second time', () => {
    install();
    expect(planAgent(level(), target())).toMatchObject({ changes: false, added: [], removed: [] });
  });

  it('leaves nothing where there was nothing, not even directories', () => {
    install();
    uninstall();
    expect(existsSync(join(home, '.filed'))).toBe(false);
    expect(readdirSync(join(home, 'state/installed'))).toEqual([]);
  });

  it('restores each file byte for byte, and its mode', () => {
    mkdirSync(hooks(), { recursive: true });
    writeFileSync(hooks('Before'), '#!/bin/sh\necho mine\n', { mode: 0o640 });
    install();
    expect(modeOf(hooks('Before'))).toBe('750');
    uninstall();
    expect(readFileSync(hooks('Before'), 'utf8')).toBe('#!/bin/sh\necho mine\n');
    expect(modeOf(hooks('Before'))).toBe('640');
    expect(readdirSync(hooks())).toEqual(['Before']);
  });

  it('removes the file of an event that nothing needs any more', () => {
    install(['Rare']);
    expect(readdirSync(hooks())).toEqual(['After', 'Before', 'Rare']);
    install();
    expect(readdirSync(hooks())).toEqual(['After', 'Before']);
    uninstall();
    expect(existsSync(join(home, '.filed'))).toBe(false);
  });

  it('stops before anything is written where one of them cannot be edited', () => {
    mkdirSync(hooks(), { recursive: true });
    writeFileSync(hooks('After'), 'binary');
    expect(() => install()).toThrow("Filed's hook files cannot be edited: no script");
    expect(readdirSync(hooks())).toEqual(['After']);
  });

  it('notices one that the agent could not execute', () => {
    install();
    chmodSync(hooks('After'), 0o644);
    expect(
      level()
        .filter(lacksExecution)
        .map(({ path }) => path),
    ).toEqual([hooks('After')]);
  });

  it('is named by the directory that holds them all', () => {
    expect(whereOf(level())).toBe(join(home, '.filed/hooks'));
  });
});
