import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { buildFuzzer } from '../../../scripts/forwarder.mjs';

const hasClang = spawnSync('clang', ['--version']).status === 0;

describe('what reads the bytes of other processes', () => {
  it('survives a million mutated inputs under the sanitizers', () => {
    const fuzzer = buildFuzzer();
    const seed = String(Date.now());
    const { status, stdout, stderr } = spawnSync(fuzzer, ['1000000', seed], { encoding: 'utf8', env: { PATH: '/bin' } });
    expect({ seed, status, stderr }).toEqual({ seed, status: 0, stderr: '' });
    const understood = Number(/ (\d+) understood/.exec(stdout)?.[1]);
    expect(understood).toBeGreaterThan(10_000); // a fuzzer that meets only refusals finds nothing
  });

  it('does the same with the same seed', () => {
    const [first, second] = [1, 2].map(() => spawnSync(buildFuzzer(), ['20000', '7'], { encoding: 'utf8', env: {} }).stdout);
    expect(first).toMatch(/^seed 7\n20000 inputs, \d+ understood\n$/);
    expect(second).toBe(first);
  });

  // The same target, guided by coverage: an extra where clang happens to be, not a part of the suite.
  if (hasClang)
    it('survives libFuzzer', () => {
      const { status, stderr } = spawnSync(buildFuzzer({ libfuzzer: true }), ['-runs=100000'], { encoding: 'utf8' });
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    });
});
