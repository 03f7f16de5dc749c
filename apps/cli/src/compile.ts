import { openChunks } from '@piton/contracts/chunked-program';

/** `compile.cjs`: keeps the compiled code of the command beside it, for the Node and the flags that run this. */
openChunks(__dirname, require).keepCode();
