import { expect, it } from 'vitest';
import { showPatch } from '../src/checkpoints/patch-output.ts';

function shown(terminal: boolean, patch: Uint8Array): Buffer {
  const parts: Buffer[] = [];
  const take = (part: string | Uint8Array) => void parts.push(Buffer.from(part as Uint8Array));
  showPatch({ terminal, out: take, outBytes: take }, patch);
  return Buffer.concat(parts);
}

const PATCH = Buffer.concat([Buffer.from('+a\u001b[2J\tb\u009b31m\u202e\r\n+'), Buffer.from([0xff, 0x0a])]);

it('a pipe gets the exact bytes of a patch', () => expect(shown(false, PATCH)).toEqual(PATCH));

it('on a terminal control characters are replaced, and nothing is removed', () =>
  expect(shown(true, PATCH).toString()).toBe('+a�[2J\tb�31m��\n+�\n'));
