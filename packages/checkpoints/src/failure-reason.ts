import { oneLine } from './checkpoint.ts';

/** What is wrong with a place, however whoever met it says it. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|no space left|out of diskspace|EDQUOT|quota exceeded/i, 'the disk is full'],
  [/EROFS|read-only file system/i, 'read-only file system'],
  [/EACCES|EPERM|permission denied|operation not permitted/i, 'permission denied'],
];

/** Why something could not be saved, in a few words that are the same each time: names of temporary files differ, and tell nobody anything. */
export function failureReason(error: unknown): string {
  const text = oneLine(String((error as Error).message ?? error), 300);
  return REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? text;
}

/** The place is full, or nobody may write there: no fault of ours, and nothing that a user did. */
export const isPlaceAtFault = (error: unknown): boolean => REASONS.some(([, reason]) => reason === failureReason(error));
