import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HookDefinition } from '@piton/hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTranscripts } from '../../src/transcripts/hooks-that-read.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'piton-reads-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const READS = 'input.get("transcript_path")\n';
function file(path: string, text: string | Uint8Array): string {
  const whole = join(root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}
const hook = (over: Partial<HookDefinition>): HookDefinition => ({
  ...{ id: 'user:h', name: 'h', scope: 'user', event: 'stop', source: join(root, 'settings.json'), argv: [], env: {}, matcher: '' },
  ...{ timeoutMs: 1000, enabled: true, observe: false, failClosed: false, injectOutput: undefined, may: [], root: null },
  status: { kind: 'ready' },
  ...over,
});

describe('a hook reads the transcript', () => {
  it.each<[string, () => Partial<HookDefinition>]>([
    ['by its command', () => ({ argv: ['sh', '-c', 'jq -r .transcript_path'] })],
    ['by a script that its command names', () => ({ argv: ['sh', '-c', `python3 "${file('named/a.py', READS)}" --quiet`] })],
    ['by a script with blanks of options around it', () => ({ argv: ['node', '--no-warnings', file('node/a.mjs', READS)] })],
    [
      'by a script below a variable',
      () => {
        file('plugin/hooks/stop.py', READS);
        return { argv: ['sh', '-c', `python3 $CLAUDE_PLUGIN_ROOT/hooks/stop.py`], env: { CLAUDE_PLUGIN_ROOT: join(root, 'plugin') } };
      },
    ],
    [
      'by what its script imports from its plugin',
      () => {
        file('other/hooks/stop.py', 'from core.engine import run\n');
        file('other/core/engine.py', READS);
        return { argv: ['sh', '-c', `python3 \${CLAUDE_PLUGIN_ROOT}/hooks/stop.py`], env: { CLAUDE_PLUGIN_ROOT: join(root, 'other') } };
      },
    ],
    [
      'by what lies beside its script',
      () => {
        file('beside/lib.sh', READS);
        return { argv: [file('beside/hook.sh', '. "$(dirname "$0")/lib.sh"\n')] };
      },
    ],
    ['by its module', () => ({ module: file('module/hook.mjs', READS) })],
    [
      'by a compiled program',
      () => ({ argv: [file('program/run', Buffer.concat([Buffer.alloc(2_000_000), Buffer.from('transcript_path\0')]))] }),
    ],
    [
      'by its folder',
      () => {
        file('artifact/scripts/deep/x.rb', READS);
        return { argv: ['sh', '-c', 'ruby x'], folder: join(root, 'artifact') };
      },
    ],
  ])('%s', async (_how, over) => {
    expect(await readTranscripts([hook({ argv: ['true'] }), hook(over())])).toBe(true);
  });
  it.each<[string, () => Partial<HookDefinition>]>([
    ['a command without it', () => ({ argv: ['sh', '-c', 'jq -r .tool_name'] })],
    ['a script without it', () => ({ argv: [file('plain/a.sh', 'cat\n')] })],
    ['a script that is not there', () => ({ argv: [join(root, 'gone/a.sh')] })],
    [
      'what other packages say',
      () => {
        file('deps/node_modules/x/index.js', READS);
        return { argv: [file('deps/run.js', '')], folder: join(root, 'deps') };
      },
    ],
  ])('but not: %s', async (_what, over) => {
    expect(await readTranscripts([hook(over())])).toBe(false);
  });
  it('as its script says now: it is looked at again', async () => {
    const script = file('changing/a.sh', 'cat\n');
    const one = hook({ argv: [script] });
    expect(await readTranscripts([one], 0)).toBe(false);
    writeFileSync(script, READS);
    expect(await readTranscripts([one], 1)).toBe(false);
    expect(await readTranscripts([one], 60_000)).toBe(true);
  });
});
