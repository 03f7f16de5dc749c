// Writes the JSON Schemas into packages/contracts/schemas. With --check it only reports whether they are stale.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { settle } from './generated.mjs';
import { importTypeScript } from './import-typescript.mjs';
import { ROOT } from './sources.mjs';

const { SCHEMAS } = await importTypeScript('packages/contracts/src/schemas/schemas.ts');
const directory = join(ROOT, 'packages', 'contracts', 'schemas');
mkdirSync(directory, { recursive: true });

const files = Object.entries(SCHEMAS).map(([name, schema]) => ({
  path: join('packages', 'contracts', 'schemas', `${name}.json`),
  text: `${JSON.stringify(schema, null, 2)}\n`,
}));
const named = new Set(files.map(({ path }) => path.split('/').at(-1)));
const orphans = readdirSync(directory).filter((file) => !named.has(file));
settle(
  files,
  orphans.map((file) => join('packages', 'contracts', 'schemas', file)),
  'npm run schemas',
);
