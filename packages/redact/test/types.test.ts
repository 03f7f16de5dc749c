import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createRedactor, type Redacted } from '../src/index.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 1) });
const keep = (body: Redacted<{ readonly a: string }>, text: Redacted<string>): string => body.a + text;

it('a raw value does not compile where a redacted one is wanted', () => {
  expect(keep(redactor.value({ a: 'x' }), redactor.text('y'))).toBe('xy');
  // @ts-expect-error a raw object is not redacted
  keep({ a: 'x' }, redactor.text('y'));
  // @ts-expect-error a raw string is not redacted
  keep(redactor.value({ a: 'x' }), 'y');
  // @ts-expect-error neither is a copy with something raw put in
  keep({ ...redactor.value({ a: 'x' }), a: 'raw' }, redactor.text('y'));
  // @ts-expect-error nor what was made of redacted text
  keep(redactor.value({ a: 'x' }), `${redactor.text('y')} and more`);
  const plain: { a: string } = redactor.value({ a: 'x' });
  const text: string = redactor.text('y');
  expect(plain.a + text).toBe('xy');
});

it('no other room puts the brand on by a cast', () => {
  const root = resolve(import.meta.dirname, '../../..');
  const sources = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((room) => {
      if (room.name === 'redact') return [];
      try {
        return readdirSync(join(root, folder, room.name, 'src'), { recursive: true, encoding: 'utf8' }).map((file) =>
          join(root, folder, room.name, 'src', file),
        );
      } catch {
        return [];
      }
    }),
  );
  const casts = sources
    .filter((file) => file.endsWith('.ts'))
    .filter((file) =>
      /\bas\s+(?:unknown\s+as\s+)?(?:Redacted|(?:EventRecord|RewrittenBody|ObservationRecord)(?:\[|\b))/.test(readFileSync(file, 'utf8')),
    );
  expect(sources.length).toBeGreaterThan(10);
  expect(casts).toEqual([]);
});
