import type { NativeAnswer } from '@piton/contracts';

/** An answer that the agent takes on an event, or on every one (`*`). */
export type Recipe = { readonly event: string; readonly stdout: unknown };

/** What a person or a hook may fill in freely: below it every shape is taken. */
const FREE = /input|output|args|result|parameters/i;
/** Words that an agent compares with a list. */
const WORDS = /^(decision|permissionDecision|behavior|hookEventName|continue|cancel|type|permission)$/;

/** Every key of a JSON value with its way down, and the word where one is compared. */
function pathsOf(value: unknown, way = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = way === '' ? key : `${way}.${key}`;
    if (FREE.test(key)) return [here];
    if (WORDS.test(key) && typeof inner !== 'object') return [`${here}=${String(inner)}`];
    return [here, ...pathsOf(inner, here)];
  });
}

/** Why this answer is not made of what the vendor documents for the event, or undefined. */
export function notDocumented(answer: NativeAnswer, event: string, recipes: readonly Recipe[]): string | undefined {
  if (answer.exitCode !== 0) return `exit ${answer.exitCode}`;
  if (answer.stderr !== '') return 'something on stderr';
  if (answer.stdout === '') return undefined;
  const said: unknown = JSON.parse(answer.stdout);
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return 'no JSON object';
  const known = new Set(
    recipes.filter((recipe) => recipe.event === event || recipe.event === '*').flatMap(({ stdout }) => pathsOf(stdout)),
  );
  const odd = pathsOf(said).filter((path) => !known.has(path));
  return odd.length === 0 ? undefined : odd.join(', ');
}
