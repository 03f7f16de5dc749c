const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX = /^(?:0x)?[0-9a-f]+$/i;
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const INTEGRITY = /^(?:sha(?:1|256|384|512)|md5|blake[23]\w{0,3})[-:_]/i;
/** Ids that agents and their services give out: they name something, and open nothing. */
const ID =
  /^(?:toolu|srvtoolu|call|fc|msg|req|run|evt|event|resp|item|rs|chatcmpl|thread|asst|file|batch|vs|step|ctx|conv|session|ses|prt|user|org|proj)[_-]/i;
const TOKEN_CHARACTERS = /^[A-Za-z0-9+/=_~.-]+$/;
const LEAST_LENGTH = 20;
const MOST_LENGTH = 512;
const LEAST_BITS = 3.6;

/** How much each character tells, in bits. */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** A password of people or machines: letters and digits together, no path, no word of a program. */
export const looksLikePassword = (text: string): boolean =>
  text.length >= 6 && text.length <= 128 && /[0-9]/.test(text) && /[A-Za-z]/.test(text) && !/[\s/\\]/.test(text) && !UNITS.test(text);
/** `pass: 12ms`, `pass: v2`. */
const UNITS = /^[0-9.,]+(?:ms|us|ns|s|m|h|x|kb|mb|tests?|of[0-9]*)$|^v[0-9.]+$/i;

/** A long random text that is no hash, no id and no path. Hex is spared: hashes and commits are hex, and nobody can tell. */
export function isHighEntropy(written: string): boolean {
  const text = plain(written);
  if (text.length < LEAST_LENGTH || text.length > MOST_LENGTH || !TOKEN_CHARACTERS.test(text)) return false;
  if (!(/[0-9]/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text))) return false;
  if (HEX.test(text) || UUID.test(text) || ULID.test(text) || INTEGRITY.test(text) || ID.test(text)) return false;
  // Words and paths have separators close together; random text does not.
  if (text.split(/[/._-]/).every((part) => part.length < 12)) return false;
  return bitsPerCharacter(text) >= LEAST_BITS;
}

/** Signatures are encoded for URLs; Laravel writes `base64:` before its key. */
const plain = (text: string): string =>
  text
    .replace(/^base64:/, '')
    .replace(/%2B/gi, '+')
    .replace(/%2F/gi, '/')
    .replace(/%3D/gi, '=');
