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

const inputsOf = (name: string): string => Object.keys(outputs[name]?.inputs ?? {}).join('\n');
const foreignTo = (name: string): string[] => importsOf(name).filter((path) => !builtinModules.includes(path.replace(/^node:/, '')));

describe('what a plugin brings into the agent’s process', () => {
  it('is small, and imports nothing but builtins of Node', () => {
    expect(outputs['port.cjs']?.bytes).toBeLessThan(64 * 1024);
    expect(importsOf('port.cjs')).toContain('node:net');
    expect(foreignTo('port.cjs')).toEqual([]);
  });

  it('holds neither the engine nor what checks types', () => {
    expect(inputsOf('port.cjs')).toContain('contracts/src/wire/frame.ts');
    expect(inputsOf('port.cjs')).not.toMatch(/hooks\/src|zod/);
  });

  it('loads no crypto before it must', () => {
    // A module that is loaded at once is required outside of any function: in the bundle's first level.
    const text = readFileSync(join(folder, 'port.cjs'), 'utf8');
    const eager = [...text.matchAll(/require\("(node:[^"]+)"\)/g)]
      .filter(({ index }) => depthAt(text, index) === 0)
      .map(([, name]) => name);
    expect(eager).toContain('node:net');
    expect(eager).not.toContain('node:crypto');
  });
});

describe('what stands in for the server', () => {
  it('imports nothing but builtins of Node', () => {
    expect(importsOf('client.cjs')).toContain('node:fs');
    expect(foreignTo('client.cjs')).toEqual([]);
    expect(foreignTo('fallback.cjs')).toEqual([]);
  });

  it('has the engine and the agents in one file, which the other loads', () => {
    expect(inputsOf('client.cjs')).not.toMatch(/hooks\/src\/decide|packages\/agents|zod/);
    expect(inputsOf('fallback.cjs')).toMatch(/hooks\/src\/decide/);
    // It reads hooks where they lie, as a server does.
    expect(inputsOf('fallback.cjs')).toMatch(/hooks\/src\/registry\/registry/);
    expect(inputsOf('fallback.cjs')).not.toMatch(/zod|packages\/(?:store|redact|git)/);
    // It keeps files, and needs no git for that.
    expect(inputsOf('fallback.cjs')).not.toMatch(/checkpoints\/src\/(?:images|snapshot|rewind|links|attribution)/);
  });
});

/** How many braces are open: minified output holds none in strings or patterns before the requires. */
function depthAt(text: string, index: number): number {
  let depth = 0;
  for (const char of text.slice(0, index)) depth += char === '{' ? 1 : char === '}' ? -1 : 0;
  return depth;
}
