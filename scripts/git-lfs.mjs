// Finds git-lfs for the test that compares with it, or unpacks Debian's package of it into the cache. Its settings of git are not installed.
import { unpackedPackage } from './unpacked-package.mjs';

if (unpackedPackage('git-lfs', 'git-lfs') === undefined) console.log('git-lfs could not be had: the comparison with it is skipped');
