import { MAGIC, MESSAGE, message } from '@piton/contracts';
import { parseLine } from './call.ts';
import { connect } from './connection.ts';
import { converse, runHere } from './conversation.ts';
import { answer, forward } from './forward.ts';
import { findPlaces, homeIsOurs } from './home.ts';
import { writeWhole } from './output.ts';

declare const PITON_VERSION: string;

const ATTACH_MS = 600_000;
const USAGE = `client.cjs <agent> <native event> <scope> <timeout ms> <VARIABLE,VARIABLE|-> [argument ...]
client.cjs --fallback <journal file> <agent> <native event> <scope> <timeout ms> <VARIABLE,VARIABLE|-> [argument ...]
client.cjs --attach <stamp> | --serve [wait ms] | --where | --version
`;

async function main(args: readonly string[]): Promise<number> {
  if (args[0]?.startsWith('--')) return option(args[0], args.slice(1));
  const registration = parseLine(args);
  // A broken line must not break the agent; a person is told.
  if (registration === undefined) return process.stderr.isTTY ? usage() : 0;
  await forward(registration, args.slice(5));
  return 0;
}

async function option(name: string, args: readonly string[]): Promise<number> {
  if (name === '--version') return say(`${PITON_VERSION}\n`);
  if (name === '--afterwards') return (await import('./afterwards.ts')).goOn().then(() => 0);
  const places = findPlaces();
  if (places === undefined) return complain('this file does not lie in <home>/runtime/<version>/', 78);
  switch (name) {
    case '--where':
      return say(`${places.hash}\n${places.environment}\n${places.sockets}\n`);
    case '--attach':
      return attach(args[0] ?? '');
    case '--fallback':
      return standIn(args);
    case '--serve':
      if (!homeIsOurs(places)) return complain(`${places.home} belongs to another user`, 77);
      return (await import('./server-start.ts')).startServer(places, Number(args[0] ?? 0) || 0);
    default:
      return usage();
  }
}

async function attach(stamp: string): Promise<number> {
  const places = findPlaces();
  if (stamp.length !== 26 || places === undefined || !homeIsOurs(places)) return 0;
  const connected = await connect(places, ATTACH_MS);
  if ('end' in connected) return 0;
  const opening = Buffer.concat([MAGIC, message(MESSAGE.attach, Buffer.from(stamp))]);
  await answer(await converse(connected.socket, opening, places, ATTACH_MS, runHere), connected.socket);
  return 0;
}

/** For the forwarder, which cannot run hooks without a server: any exit but 0 makes it print the last resort. */
async function standIn([path = '', ...args]: readonly string[]): Promise<number> {
  const { readJournalFile, runFallback } = await import('./fallback-load.ts');
  const frame = readJournalFile(path);
  const places = findPlaces();
  if (frame === undefined || places === undefined || frame.agent !== args[0] || frame.nativeEvent !== args[1]) return 1;
  const said = await runFallback({ frame, environment: places.environment, signal: new AbortController().signal, journalFile: path });
  return said === undefined ? 1 : say(said);
}

function say(text: string): number {
  writeWhole(1, Buffer.from(text));
  return 0;
}

function complain(text: string, code: number): number {
  process.stderr.write(`client.cjs: ${text}\n`);
  return code;
}

function usage(): number {
  process.stderr.write(USAGE);
  return 64;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  // Broken, slow or missing: none of it may break the agent. Only a stand-in must not look as if it had answered.
  () => process.exit(process.argv[2] === '--fallback' ? 1 : 0),
);
