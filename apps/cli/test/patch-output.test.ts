import { expect, it } from 'vitest';
import type { Context } from '../src/context.ts';
import { painter } from '../src/output/paint.ts';
import { patchText, showPatch } from '../src/output/patch-output.ts';

async function shown(terminal: boolean, patch: Uint8Array): Promise<Buffer> {
  const parts: Buffer[] = [];
  const take = (part: string | Uint8Array) => void parts.push(Buffer.from(part as Uint8Array));
  const context = { terminal, interactive: false, out: take, outBytes: take, paint: painter(false) } as unknown as Context;
  await showPatch(context, patch);
  return Buffer.concat(parts);
}

const PATCH = Buffer.concat([Buffer.from('+a\u001b[2J\tb\u009b31m\u202e\r\n+'), Buffer.from([0xff, 0x0a])]);

it('a pipe gets the exact bytes of a patch', async () => expect(await shown(false, PATCH)).toEqual(PATCH));

it('on a terminal control characters are replaced, and nothing is removed', async () =>
  expect((await shown(true, PATCH)).toString()).toBe('+a�[2J\tb�31m��\n+�\n'));

it('on a terminal with colours a patch is painted, and a line of a file never as a head', () => {
  const text = patchText(
    { paint: (colour, line) => `${colour}:${line}` },
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ f\n same\n--- old\n+++ new\n\\ No newline at end of file\ndiff --git a/y b/y\n--- a/y\n',
  );
  expect(text.split('\n')).toEqual([
    'bold:diff --git a/x b/x',
    'bold:--- a/x',
    'bold:+++ b/x',
    'cyan:@@ -1,3 +1,3 @@ f',
    ' same',
    'red:--- old',
    'green:+++ new',
    '\\ No newline at end of file',
    'bold:diff --git a/y b/y',
    'bold:--- a/y',
    '',
  ]);
});
