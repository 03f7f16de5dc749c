import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHere } from '../../src/install/detect.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'piton-detect-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const [known] = AGENTS;
const agentWith = (path: string, programs?: readonly string[]): Agent => ({
  ...(known as Agent),
  id: 'plugged',
  aliases: [],
  ...(programs && { programs }),
  installer: { ...(known as Agent).installer, configFiles: () => [{ path, label: path }] },
});
const here = (agent: Agent, env = {}) => isHere(agent, home, { PATH: join(home, 'bin'), ...env });

describe('an agent is detected', () => {
  it('by the directory of its file, or by a parent with its name', () => {
    const agent = agentWith('.config/plugged/plugins/piton.js');
    expect(here(agent)).toBe(false);
    mkdirSync(join(home, '.config'));
    expect(here(agent)).toBe(false);
    mkdirSync(join(home, '.config/plugged'));
    expect(here(agent)).toBe(true);
  });
  it('by its program on PATH, under the name that it has there', () => {
    mkdirSync(join(home, 'bin'));
    writeFileSync(join(home, 'bin/plug'), '#!/bin/sh\n', { mode: 0o755 });
    expect(here(agentWith('.plugged/settings.json'))).toBe(false);
    expect(here(agentWith('.plugged/settings.json', ['plug']))).toBe(true);
  });
  it('not by a file that would be in the home itself', () => {
    expect(here(agentWith('.plugged.json'))).toBe(false);
  });
});
