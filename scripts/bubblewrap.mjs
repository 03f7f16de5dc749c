// Finds bubblewrap for the tests of the sandbox, or unpacks Debian's package of it into the cache.
import { pathToFileURL } from 'node:url';
import { unpackedPackage } from './unpacked-package.mjs';

/** The directory to prepend to PATH, '' if it is on PATH already, or undefined if it cannot be installed. */
export const bubblewrap = () => unpackedPackage('bubblewrap', 'bwrap');

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = bubblewrap();
  console.log(found === undefined ? 'bubblewrap could not be had' : found === '' ? 'bubblewrap is on PATH' : found);
  process.exitCode = found === undefined ? 1 : 0;
}
