import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type HookDefinition, readTree } from '@piton/hooks';

const MOST_BYTES = 4 * 1024 * 1024;

/**
 * What a hook is and runs, as one digest: its definition without where it lies, and its files. Null for what is built in, and for
 * what cannot be read.
 */
export function hookDigest(hook: HookDefinition): string | null {
  if (hook.builtIn !== undefined) return null;
  const hash = createHash('sha256').update('piton hook 1\n');
  const { name, event, matcher, when, timeoutMs, observe, failClosed, injectOutput, may, sandbox, targets, native, shadow } = hook;
  hash.update(
    `${JSON.stringify({ name, event, matcher, when, timeoutMs, observe, failClosed, injectOutput, may, sandbox, targets, native, shadow })}\n`,
  );
  // The paths of its files are this machine's; a command line is what it is.
  const files = [...hook.argv.slice(0, 1), ...(hook.module === undefined ? [] : [hook.module])].filter(isAbsolute);
  hash.update(`${JSON.stringify(hook.argv.filter((word) => !isAbsolute(word)))}\n`);
  if (hook.folder !== undefined) {
    const read = readTree(hook.folder);
    if (!read.ok) return null;
    hash.update(`folder ${read.tree.hash}\n`);
  } else {
    for (const file of files) {
      const bytes = bytesOf(file);
      if (bytes === undefined) return null;
      hash.update(`file ${bytes.length}\n`).update(bytes);
    }
  }
  return `sha256:${hash.digest('hex')}`;
}

function bytesOf(file: string): Buffer | undefined {
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}
