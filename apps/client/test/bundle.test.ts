import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from './runtime.ts';

let folder = '';
let outputs: Record<string, { bytes: number; imports: { path: string }[]; inputs: object }> = {};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'piton-bundle-'));
  const { metafile } = await bundle(folder);
  outputs = Object.fromEntries(Object.entries(metafile?.outputs ?? {}).map(([path, output]) => [path.replace(/.*\//, ''), output]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const importsOf = (name: string): string[] => [...new Set(outputs[name]?.imports.map(({ path }) => path))];

describe('what loads on the agent’s path', () => {
  it('is small', () => {
    expect(outputs['client.cjs']?.bytes).toBeLessThan(64 * 1024);
  });

  it('imports nothing but builtins of Node', () => {
    const foreign = (name: string): string[] => importsOf(name).filter((path) => !builtinModules.includes(path.replace(/^node:/, '')));
    expect(importsOf('client.cjs')).toContain('node:net');
    expect(foreign('client.cjs')).toEqual([]);
    expect(foreign('fallback.cjs')).toEqual([]);
  });

  it('holds neither the engine nor an agent', () => {
    const inputs = Object.keys(outputs['client.cjs']?.inputs ?? {}).join('\n');
    expect(inputs).toContain('contracts/src/frame.ts');
    expect(inputs).not.toMatch(/hooks\/src\/decide|packages\/agents|zod/);
    expect(Object.keys(outputs['fallback.cjs']?.inputs ?? {}).join('\n')).toMatch(/hooks\/src\/decide/);
  });

  it('starts no process and loads no crypto before it must', () => {
    // A module that is loaded at once is required outside of any function: in the bundle's first level.
    const text = readFileSync(join(folder, 'client.cjs'), 'utf8');
    const eager = [...text.matchAll(/require\("(node:[^"]+)"\)/g)]
      .filter(({ index }) => depthAt(text, index) === 0)
      .map(([, name]) => name);
    expect(eager).toContain('node:net');
    expect(eager).not.toContain('node:child_process');
    expect(eager).not.toContain('node:crypto');
  });
});

/** How many braces are open: minified output holds none in strings or patterns before the requires. */
function depthAt(text: string, index: number): number {
  let depth = 0;
  for (const char of text.slice(0, index)) depth += char === '{' ? 1 : char === '}' ? -1 : 0;
  return depth;
}
