import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../sources.mjs';
import { TOOLS } from '../step.mjs';
import { closingLine, settle, tallyOf } from '../tally.mjs';

// Below node_modules, so that the test files of the sample find vitest.
const sample = mkdtempSync(join(ROOT, 'node_modules', '.piton-tally-'));
afterAll(() => rmSync(sample, { recursive: true, force: true }));

function reportOf(files) {
  const folder = mkdtempSync(join(sample, 'run-'));
  mkdirSync(join(folder, 'test'));
  writeFileSync(join(folder, 'vitest.config.mjs'), "export default { test: { include: ['test/*.test.mjs'], exclude: [] } };");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'test', name), `import { it } from 'vitest';\n${text}`);
  const report = join(folder, 'report.json');
  spawnSync(process.execPath, [join(ROOT, TOOLS.vitest), 'run', '--root', folder, '--reporter=json', `--outputFile=${report}`], {
    cwd: folder,
  });
  return JSON.parse(readFileSync(report, 'utf8'));
}

describe('the closing line', () => {
  it('counts what vitest ran, what it skipped, and files that could not be loaded', () => {
    const report = reportOf({
      'right.test.mjs':
        "it('is right', () => {}); it('is right too', () => {}); it.skip('comes later', () => {}); it.todo('is thought of');",
      'wrong.test.mjs': "it('is wrong', () => { throw new Error('no'); }); it('is right', () => {});",
      'broken.test.mjs': "import './not-there.mjs'; it('is never seen', () => {});",
    });
    const tally = tallyOf(report);
    expect(tally).toEqual({ passed: 3, failed: 2, skipped: ['comes later', 'is thought of'] });
    expect(closingLine(tally)).toBe('3 passed, 2 failed, 2 skipped');
  });

  it('says nothing of skipping where nothing was skipped', () => {
    expect(closingLine({ passed: 7, failed: 0, skipped: [] })).toBe('7 passed, 0 failed');
  });
});

describe('files that failed and ran once more', () => {
  const file = (name, ...states) => ({
    name,
    status: states.includes('failed') ? 'failed' : 'passed',
    assertionResults: states.map((status, at) => ({
      status,
      fullName: `${name} ${at}`,
      failureMessages: status === 'failed' ? ['why\nwhere'] : [],
    })),
  });
  const first = { testResults: [file('calm', 'passed', 'passed'), file('busy', 'failed', 'passed'), file('wrong', 'failed')] };

  it('count as they ended, and what passed only then is named with its first failure', () => {
    const second = { ok: false, report: { testResults: [file('busy', 'passed', 'passed'), file('wrong', 'failed')] } };
    expect(settle(first, second)).toEqual({ passed: 4, failed: 1, skipped: [], unstable: ['busy 0: why'] });
  });

  it('stay failed where the second run left no report or broke outside its tests', () => {
    const passed = { testResults: [file('busy', 'passed', 'passed'), file('wrong', 'passed')] };
    for (const second of [
      { ok: false, report: null },
      { ok: false, report: passed },
    ])
      expect(settle(first, second)).toMatchObject({ passed: 3, failed: 2, unstable: [] });
  });
});
