import type { JsonObject, Tool } from '@piton/contracts';
import type { LedgerEntry } from '@piton/store';

const LONGEST = 400;

/** What the person chose, as the end of a tool says it. */
export function choicesIn({ name, input }: Tool, response: unknown): LedgerEntry[] {
  if (name === 'AskUserQuestion') return answersIn(input, response);
  if (name !== 'ExitPlanMode' || !isAccepted(response)) return [];
  return [{ kind: 'choice', question: 'plan', answer: startOf(planIn(input, response) ?? 'accepted') }];
}

const REFUSED = /\b(?:not|never|auto)[- ]?approved|\b(?:rejected|cancelled|canceled|declined|stale|failed)\b/i;

/**
 * Claude Code ends this tool only if the plan was accepted. Others end it as well if the person refused, was not asked, or went away, and
 * say so in words: where no word says that it was approved, nobody knows.
 */
function isAccepted(response: unknown): boolean {
  if (typeof response !== 'string')
    return isObject(response) && ('plan' in response || 'isAgent' in response) && response.rejected !== true;
  // What follows may be the plan itself.
  const head = /^[\s\S]*?\bapproved\b.*/i.exec(response)?.[0];
  return head !== undefined && !REFUSED.test(head);
}

/** In the result, or in the call where an agent has no file for it. */
const planIn = (input: JsonObject, response: unknown): string | undefined =>
  textOf(isObject(response) ? response.plan : undefined) ?? textOf(input.plan);

/** By question, or by the number of the question; as an object or as its text. */
function answersIn(input: JsonObject, response: unknown): LedgerEntry[] {
  const answers = fieldsOf(response).answers ?? input.answers;
  if (!isObject(answers)) return [];
  const questions = Array.isArray(input.questions) ? (input.questions as unknown[]) : [];
  return Object.entries(answers).flatMap(([key, answer]): LedgerEntry[] => {
    const text = textOf(answer) ?? (Array.isArray(answer) ? answer.filter((one) => typeof one === 'string').join(', ') : '');
    if (text === '') return [];
    const question = /^\d+$/.test(key) ? textOf(fieldsOf(questions[Number(key)]).question) : undefined;
    return [{ kind: 'choice', question: startOf(question ?? key), answer: startOf(text) }];
  });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  if (typeof value !== 'string' || !value.startsWith('{')) return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const startOf = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
