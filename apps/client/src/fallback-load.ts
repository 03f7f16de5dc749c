import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Frame, type NativeAnswer, readFrameFile } from '@piton/contracts';
import type { FallbackRequest } from './fallback.ts';
import { here } from './home.ts';

/** Runs the guards without a server. Undefined: it could not be done, and the caller prints the last resort. */
export async function runFallback(request: FallbackRequest): Promise<NativeAnswer | undefined> {
  try {
    // The engine and all agents are another file: what loads on the agent's path stays small. Not `import()`: the bundler
    // turns that into a `require` of its own, which does not know file URLs.
    const file = join(here(), 'fallback.cjs');
    const loaded = createRequire(file)(file) as typeof import('./fallback.ts');
    return await loaded.fallback(request);
  } catch {
    return undefined;
  }
}

/** `file`: a path, or 0 for what the forwarder writes to us. */
export function readFrameAt(file: string | 0): Frame | undefined {
  try {
    const result = readFrameFile(readFileSync(file));
    return result.ok ? result.frame : undefined;
  } catch {
    return undefined;
  }
}
