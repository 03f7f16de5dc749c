import { readJournalFile, runFallback } from './fallback-load.ts';
import { findPlaces } from './home.ts';
import { writeWhole } from './output.ts';

const USAGE = 'client.cjs --fallback <journal file> <agent> <native event> [argument ...]\n';

/** For the forwarder, which cannot run hooks without a server: any exit but 0 makes it print the last resort. */
async function main([option, path = '', agent, nativeEvent]: readonly string[]): Promise<number> {
  if (option !== '--fallback') {
    process.stderr.write(USAGE);
    return 64;
  }
  const frame = readJournalFile(path);
  const places = findPlaces();
  if (frame === undefined || places === undefined || frame.agent !== agent || frame.nativeEvent !== nativeEvent) return 1;
  const answer = await runFallback({ frame, environment: places.environment, signal: new AbortController().signal, journalFile: path });
  if (answer === undefined) return 1;
  writeWhole(1, Buffer.from(answer));
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  () => process.exit(1), // it must not look as if it had answered
);
