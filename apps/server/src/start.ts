import { setFlagsFromString } from 'node:v8';
import { runResident } from '@piton/contracts/resident-program';

/**
 * A process that runs all day must not keep the memory of one burst. By default V8 lets a heap grow to four times its live
 * size before it collects. Not set on the command line: a Node without this flag would not start, here it only warns.
 */
setFlagsFromString('--heap-growing-percent=50');
runResident(module, require, 'server');
