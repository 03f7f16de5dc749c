import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BedStep, bash, claudeDriver, claudeSettings, describeReal, runAgent, talk } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NODE_RUNTIMES } from '../../scripts/node-runtimes.mjs';
import { installGlobally, packHere, startDependencies } from '../install/global.ts';
import type { Registry } from '../install/registry.ts';
import { addUserHook, configOf, newStage, stateOf } from './setup.ts';

let base: string;
let registry: Registry;
let tarball: string;

const HOOK = `#!/bin/sh
read -r call
case $call in *push*--force*) echo 'TOKEN_DENY: do not force-push.' >&2; exit 2 ;; esac
`;

describeReal('claude', 'Piton from its package, on a PATH with Node, git and a shell, and without a network', () => {
  beforeAll(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-installed-')));
    tarball = packHere(base);
    registry = await startDependencies(base);
  }, 600_000);
  afterAll(async () => {
    await registry.end();
    rmSync(base, { recursive: true, force: true });
  });

  describe.each([...NODE_RUNTIMES])('Node $major', ({ binary, major }) => {
    test.skipIf(!existsSync(binary))(
      'denies a command of Claude Code, and leaves its settings byte for byte',
      { timeout: 400_000 },
      async () => {
        const prefix = await installGlobally(base, registry, tarball, `node-${major}`, binary);
        const programs = join(base, `programs-${major}`);
        mkdirSync(programs);
        for (const [name, to] of Object.entries({ node: binary, git: '/usr/bin/git', sh: '/bin/sh', piton: join(prefix, 'bin', 'piton') }))
          symlinkSync(realpathSync(to), join(programs, name));
        const env = { PATH: programs, PITON_ALLOW_UNDER_AGENT: '1' };
        const step = (...argv: [string, ...string[]]): BedStep => ({ name: argv.join(' '), argv, env, limitMs: 120_000 });
        const piton = (...args: string[]): BedStep => ({ ...step(join(programs, 'piton'), ...args), name: `piton ${args.join(' ')}` });
        const node = (name: string, script: string): BedStep => ({ ...step(join(programs, 'node'), '-e', script), name });

        const workspace = newStage();
        const settings = workspace.read(claudeSettings(workspace));
        addUserHook(workspace, 'pre-shell-execution', HOOK);
        const facts = await runAgent(claudeDriver, workspace, {
          script: talk(bash('git push --force'), bash('echo one > one.txt'), { text: 'Finished.' }),
          env,
          limitMs: 120_000,
          before: [piton('demo'), piton('init', '--yes', '--agent', 'claude'), piton('status')],
          after: [
            piton('events', '--denied', '--json'),
            piton('doctor'),
            piton('uninstall', '--yes', '--purge'),
            node(
              'compilers',
              "const { spawnSync } = require('child_process'); console.log(['cc', 'gcc', 'clang', 'make', 'npm'].map((name) => spawnSync(name).error?.code).join())",
            ),
            node(
              'network',
              "require('net').connect(80, '192.0.2.1').on('error', (error) => console.log(error.code)).on('connect', () => console.log('connected'))",
            ),
          ],
        });
        for (const name of [
          'piton demo',
          'piton init --yes --agent claude',
          'piton status',
          'piton doctor',
          'piton uninstall --yes --purge',
        ]) {
          const { exit, stdout, stderr } = facts.step(name);
          expect({ name, exit, stderr, stdout }).toMatchObject({ exit: 0, stderr: '' });
        }
        expect(facts.exit).toBe(0);
        expect(facts.toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('TOKEN_DENY') });
        expect(facts.appeared).toEqual(['one.txt']);
        expect(facts.step('piton events --denied --json').stdout).toContain('git push --force');
        expect(facts.step('compilers').stdout).toBe('ENOENT,ENOENT,ENOENT,ENOENT,ENOENT\n');
        expect(facts.step('network').stdout).toBe('ENETUNREACH\n');
        expect(workspace.read(claudeSettings(workspace))).toBe(settings);
        expect(existsSync(stateOf(workspace))).toBe(false);
        expect(existsSync(configOf(workspace))).toBe(true); // the person's own hooks
      },
    );
  });
});
