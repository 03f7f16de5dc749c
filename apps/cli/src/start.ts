import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openChunks } from '@piton/contracts/chunked-program';

/** `cli.mjs`: runs the command from compiled code, of which each call loads its own part. */
const chunks = openChunks(dirname(fileURLToPath(import.meta.url)), createRequire(import.meta.url));
await (chunks.start() as { readonly done: Promise<void> }).done;
