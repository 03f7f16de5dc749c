import { accessSync, constants, lstatSync, type Stats } from 'node:fs';
import { shellWord } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { Failure } from '../failure.ts';
import { keyFile, readKey, teamDirectory } from './membership.ts';
import { lookAtSenderState, stateFile } from './sender-state.ts';
import { damagedUploads, keptDirectory, lookAtSentLines, sentFile } from './sent-log.ts';

/** Something that is wrong with a file of a machine that is in a team. */
export interface FileProblem {
  readonly id: string;
  /** Nothing leaves until it is mended. Otherwise it is only worth knowing. */
  readonly stops: boolean;
  readonly what: string;
  readonly where: string;
  readonly remedy: string;
}

type Home = Pick<Places, 'home'>;
const statOf = (file: string): Stats | undefined => lstatSync(file, { throwIfNoEntry: false });
const movedAway = (file: string): string => `mv ${shellWord(file)} ${shellWord(`${file}.old`)}`;

/** What keeps the sender from sending. What it could not show afterwards must not leave. */
export function stoppingProblems(places: Home): readonly FileProblem[] {
  const stops = (id: string, where: string, what: string, remedy: string): FileProblem => ({ id, stops: true, what, where, remedy });
  const found: FileProblem[] = [];
  try {
    readKey(places);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    found.push(stops('team.key', error.where ?? keyFile(places), error.message, error.remedy ?? ''));
  }
  const directory = teamDirectory(places);
  if (!isWritable(directory)) {
    found.push(stops('team.folder', directory, 'what leaves cannot be written down', `chmod u+rwx ${shellWord(directory)}`));
    return found;
  }
  for (const file of [stateFile(places), sentFile(places)])
    if (statOf(file)?.isDirectory()) found.push(stops('team.file', file, 'a folder lies where a file has to be', movedAway(file)));
  const kept = keptDirectory(places);
  if (statOf(kept)?.isDirectory() === false)
    found.push(stops('team.file', kept, 'something lies where the folder of what left has to be', movedAway(kept)));
  else if (statOf(kept) && !isWritable(kept))
    found.push(stops('team.folder', kept, 'what leaves cannot be written down', `chmod u+rwx ${shellWord(kept)}`));
  return found;
}

/** All of it, with what only a person should know. */
export function fileProblems(places: Home): readonly FileProblem[] {
  const stopping = stoppingProblems(places);
  const note = (id: string, where: string, what: string, remedy: string): FileProblem => ({ id, stops: false, what, where, remedy });
  const found: FileProblem[] = [...stopping];
  const isNew = (file: string): boolean => !stopping.some(({ where }) => where === file);
  const key = statOf(keyFile(places));
  if (isNew(keyFile(places)) && key?.isFile() && (key.mode & 0o077) !== 0)
    found.push(
      note('team.key-open', keyFile(places), 'others may read the key of this machine', `chmod 600 ${shellWord(keyFile(places))}`),
    );
  const { wrong: state } = lookAtSenderState(places);
  if (state !== undefined && isNew(stateFile(places)))
    found.push(note('team.state', stateFile(places), `what the sender noted cannot be read: ${state}`, SERVER_KNOWS));
  const { wrong: lines } = lookAtSentLines(places);
  if (lines !== undefined && isNew(sentFile(places)))
    found.push(note('team.sent', sentFile(places), `the list of what left is not whole: ${lines}`, GOES_ON));
  for (const { message, where = '', remedy = '' } of damagedUploads(places)) found.push(note('team.upload', where, message, remedy));
  return found;
}

const SERVER_KNOWS = 'nothing to do: the server knows how far it is, and the next upload writes the file anew';
const GOES_ON = 'nothing to do: the next upload begins the list anew, and keeps what is there beside it';

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
