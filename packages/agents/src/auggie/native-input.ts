import type { JsonObject, Tool } from '@piton/contracts';
import { nativeInput } from '../shared/tool-translation.ts';
import { isOfFiles, translation } from './tools.ts';

/** Without these a call is refused: what a hook left out of them stays what the model wrote. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  'launch-process': ['wait', 'max_wait_seconds', 'cwd'],
  'write-process': ['terminal_id'],
  'str-replace-editor': ['command'],
};

/** A portable input that a hook wrote, as the tool takes it; undefined where it cannot be said. */
export function nativeToolInput({ nativeName, kind }: Tool, input: JsonObject, given: JsonObject): JsonObject | undefined {
  if (kind === 'mcp') return input;
  if (isOfFiles(nativeName)) return undefined;
  // The form with numbered fields is that of another schema of the tool, into which a list does not fit.
  if (nativeName === 'str-replace-editor' && !['str_replace_entries', 'insert_line_entries'].some((list) => list in given))
    return undefined;
  const kept = (Object.hasOwn(REQUIRED, nativeName) ? REQUIRED[nativeName] : undefined) ?? [];
  return {
    ...Object.fromEntries(kept.filter((field) => field in given).map((field) => [field, given[field]])),
    ...nativeInput(translation(nativeName, given), input),
  };
}
