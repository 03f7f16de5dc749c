import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../sources.mjs';

it.each(['server', 'recorder', 'checkpointer', 'subscriber'].map((name) => `bundles/${name}.js`))(
  '%s is ASCII: resident, every other character counts twice',
  (name) => {
    expect(readFileSync(join(ROOT, 'dist', name), 'utf8').match(/[^\0-\x7f]/g)).toBeNull();
  },
);
