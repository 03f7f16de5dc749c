import { resolve } from 'node:path';
import type { Answer, Payload } from '../parts/payload.ts';
import { textOfFile } from '../parts/regular-file.ts';
import { listed, newSecrets } from '../parts/secrets/find-secrets.ts';
import { pathsGiven, textsGiven } from '../parts/tool-input.ts';

const INSTEAD =
  'Read it from the environment or a secret store, and write a name or a placeholder into the file. If it is no secret, a person can mark the line with "gitleaks:allow".';

/** What the edit would write, and what it would replace. */
function textsOf(input: Readonly<Record<string, unknown>>): { readonly after: string; readonly before: string } {
  const edits = Array.isArray(input.edits) ? (input.edits as Record<string, unknown>[]) : [];
  const all = [input, ...edits];
  const texts = (...names: readonly string[]): string =>
    all.flatMap((each) => names.map((name) => each?.[name]).filter((value) => typeof value === 'string')).join('\n');
  return { after: texts('content', 'new_string', 'new_source'), before: texts('old_string') };
}

export default (payload: Payload): Answer => {
  const { cwd, tool_input, piton } = payload;
  const isEdit = piton.tool?.kind === 'edit';
  const { after, before } = isEdit ? textsOf(tool_input ?? {}) : textsGiven(payload);
  const file = (isEdit ? piton.tool?.files : pathsGiven(payload))?.[0] ?? '';
  const found = newSecrets(after, before);
  if (found.length === 0) return undefined;
  const there = textOfFile(resolve(cwd, file));
  const secrets = found.filter(({ value }) => !there.includes(value));
  if (secrets.length === 0) return undefined;
  const places = secrets.map(({ kind, line }) => ({ kind, place: `line ${line} of what you write` }));
  return { decision: 'deny', reason: `Blocked, since this would write a secret to ${file || 'a file'}: ${listed(places)}. ${INSTEAD}` };
};
