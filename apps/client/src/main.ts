import { readFrameAt, runFallback } from './fallback-load.ts';
import { findPlaces } from './home.ts';
import { writeWhole } from './output.ts';

const USAGE = 'client.cjs --fallback <journal file | -> <agent> <native event> [argument ...]\n';
/** Where no journal can be written the frame comes on stdin. */
const ON_STDIN = '-';

/** For the forwarder, which cannot run hooks without a server: any exit but 0 and 2 makes it print the last resort. */
async function main([option, path = '', agent, nativeEvent]: readonly string[]): Promise<number> {
  if (option !== '--fallback') {
    process.stderr.write(USAGE);
    return 64;
  }
  const journalFile = path === ON_STDIN ? undefined : path;
  const frame = readFrameAt(journalFile ?? 0);
  const places = findPlaces();
  if (frame === undefined || places === undefined || frame.agent !== agent || frame.nativeEvent !== nativeEvent) return 1;
  const answer = await runFallback({ frame, places, signal: new AbortController().signal, journalFile });
  if (answer === undefined) return 1;
  writeWhole(1, Buffer.from(answer.stdout));
  if (answer.exitCode !== 0) writeWhole(2, Buffer.from(answer.stderr));
  return answer.exitCode;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  () => process.exit(1), // it must not look as if it had answered
);
