import { SCHEMAS } from '@piton/contracts/schemas';
import { expect, it } from 'vitest';
import { CATALOG } from '../../src/settings/catalog.ts';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The settings that the published schema has: what is not an object of its own. */
const leaves = (schema: Schema, path: readonly string[] = []): string[] =>
  schema.properties === undefined
    ? [path.join('.')]
    : Object.entries(schema.properties).flatMap(([key, inner]) => leaves(inner, [...path, key]));

it('lists every setting of the schema, and no other', () => {
  const expected = leaves(SCHEMAS.settings as Schema).filter((key) => key !== '$schema');
  expect(CATALOG.map(({ key }) => key).sort()).toEqual(expected.sort());
});

it('says what each means, in what 80 columns leave for it', () => {
  for (const { key, meaning } of CATALOG) expect([key, /^[a-zA-Z][^\n]{10,33}$/.test(meaning)]).toEqual([key, true]);
});
