const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SHAPE = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export const isUlid = (text: string): boolean => SHAPE.test(text);

/** A ULID of 48 bits of time and 80 random bits, both given: the clock and the random source belong to the caller. */
export function ulid(timeMs: number, random: Uint8Array): string {
  let time = '';
  for (let rest = timeMs, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  let bits = 0;
  let held = 0;
  let tail = '';
  for (const byte of random.subarray(0, 10)) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      tail += ALPHABET[(held >>> bits) & 31];
      held &= (1 << bits) - 1;
    }
  }
  return time + tail;
}

export function ulidTime(id: string): number {
  let time = 0;
  for (const char of id.slice(0, 10)) time = time * 32 + ALPHABET.indexOf(char);
  return time;
}
