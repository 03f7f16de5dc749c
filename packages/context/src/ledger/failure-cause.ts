import type { FailureCause } from '@piton/store';

/** Which words mean what. The agent's own word for it comes first; its message only where that says nothing. */
const CAUSES: readonly (readonly [FailureCause, RegExp])[] = [
  ['billing', /billing|payment|credit balance|insufficient[_ ](?:quota|funds|credit)|402\b|quota exceeded for (?:this )?billing/i],
  ['rate-limit', /rate[_ -]?limit|usage[_ ]limit|too many requests|429\b|limit reached|resource[_ ]exhausted|quota/i],
  [
    'context',
    /context[_ ](?:length|window|limit|overflow)|prompt is too long|max(?:imum)?[_ ](?:output[_ ])?tokens|too many tokens|token limit/i,
  ],
  ['login', /authenticat|unauthorized|api[_ ]key|401\b|403\b|log ?in|oauth|permission[_ ]error/i],
  [
    'outage',
    /overload|unavailable|server[_ ]error|internal error|bad gateway|timed? ?out|timeout|connection|network|ECONN|ENOTFOUND|5\d\d\b/i,
  ],
];

export function causeOf(word: string | undefined, message: string | undefined): FailureCause {
  for (const text of [word, message]) {
    const found = text === undefined ? undefined : CAUSES.find(([, words]) => words.test(text));
    if (found !== undefined) return found[0];
  }
  return 'other';
}

/** When the limit ends, only where the agent says it: a moment that some append in seconds, or the words after `resets`. */
export function resetsAt(message: string | undefined): string | null {
  if (message === undefined) return null;
  const seconds = /limit reached\|(\d{10})\b/.exec(message)?.[1];
  if (seconds !== undefined) return new Date(Number(seconds) * 1000).toISOString();
  const words = /\b(?:resets?|try again|available again)(?: (?:at|on|in))? +((?:\d|[A-Z][a-z]{2,8} \d)[^.·∙|\n]{0,40})/.exec(message)?.[1];
  return words?.trim() ?? null;
}
