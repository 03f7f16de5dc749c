import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@piton/contracts';

export const FIXTURES = fileURLToPath(new URL('../../src/vscode/fixtures', import.meta.url));
export const TESTS = fileURLToPath(new URL('.', import.meta.url));

/** One documented payload, such as `PreToolUse.write`. Nothing was recorded. */
export const documented = (name: string): JsonObject => JSON.parse(readFileSync(join(FIXTURES, 'documented', `${name}.json`), 'utf8'));
export const documentedNames = readdirSync(join(FIXTURES, 'documented')).map((file) => file.replace('.json', ''));
