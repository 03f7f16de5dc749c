import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWhere } from '@piton/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { actionlint } from '../actionlint.mjs';
import { ROOT } from '../sources.mjs';

const FOLDER = join(ROOT, '.github', 'workflows');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.yml'));
const textOf = (name) => readFileSync(join(FOLDER, name), 'utf8');

describe.each(FILES)('the workflow %s', (name) => {
  it('uses every action by a whole commit id, with its version beside it', () => {
    const used = [...textOf(name).matchAll(/uses: (\S+)(.*)/g)];
    expect(used.length).toBeGreaterThan(0);
    for (const [, action, comment] of used) expect(`${action}${comment}`).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('begins with no permission to write', () => {
    const [, first = ''] = /^permissions:(.*\n(?: .*\n)*)/m.exec(textOf(name)) ?? [];
    expect(first.trim()).toMatch(/^(?:\{\}|contents: read)$/);
  });

  it('puts nothing that others write into a command', () => {
    const scripts = textOf(name).match(/^ *(?:- )?run: (?:\|\n(?: {10}.*\n)+|.*\n)/gm) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).not.toContain('${{');
  });
});

it('CI runs on both systems and every Node that is supported', () => {
  const text = textOf('ci.yml');
  for (const each of ['ubuntu-', 'macos-', "'20', '22', '24'"]) expect(text).toContain(each);
});

const program = actionlint();
describeWhere(program ? null : 'actionlint is not here, run node scripts/actionlint.mjs', 'actionlint', () => {
  const check = (...files) => spawnSync(program, ['-no-color', ...files], { cwd: ROOT, encoding: 'utf8' });

  it('finds nothing in the workflows', () => {
    expect(check(...FILES.map((name) => join(FOLDER, name)))).toMatchObject({ status: 0, stdout: '' });
  });

  it('would find a permission that there is not, and a job that nobody has', () => {
    const folder = mkdtempSync(join(tmpdir(), 'piton-workflow-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const broken = textOf('release.yml').replace('needs: build', 'needs: no-such-job').replace('attestations: write', 'attestation: write');
    writeFileSync(join(folder, 'broken.yml'), broken);
    const { status, stdout } = check(join(folder, 'broken.yml'));
    expect(status).toBe(1);
    expect(stdout).toContain('no-such-job');
    expect(stdout).toContain('attestation');
  });
});
