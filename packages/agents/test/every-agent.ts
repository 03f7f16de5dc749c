import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Agent, JsonObject, NativeAnswer } from '@piton/contracts';
import type { AgentEffect, RecordedPayload } from '@piton/testing/conformance';

import type { Recipe } from './accepted-answers.ts';

export type AnswerReader = (answer: NativeAnswer, nativeEvent: string) => AgentEffect;

const folder = (agent: Agent, name: string): string => fileURLToPath(new URL(`../src/${agent.id}/fixtures/${name}`, import.meta.url));

function jsonIn(directory: string): { readonly file: string; readonly value: JsonObject }[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({ file, value: JSON.parse(readFileSync(join(directory, file), 'utf8')) as JsonObject }));
}

/** What the real agent was recorded with, or what its documentation shows where it cannot be recorded. */
export function payloadsOf(agent: Agent): RecordedPayload[] {
  const recorded = jsonIn(folder(agent, 'recorded')).map(({ file, value }) => ({
    name: file,
    payload: value.stdin,
    context: { nativeEvent: String(value.event), cwd: String(value.cwd), variables: (value.env ?? {}) as Record<string, string> },
  }));
  return recorded.length > 0 ? recorded : documentedOf(agent);
}

/** All that was recorded, and all that the vendor documents. */
export const everyPayloadOf = (agent: Agent): RecordedPayload[] => [...new Set([...payloadsOf(agent), ...documentedOf(agent)])];

function documentedOf(agent: Agent): RecordedPayload[] {
  const names = agent.events.map(({ name }) => name).sort((one, other) => other.length - one.length);
  return jsonIn(folder(agent, 'documented')).map(({ file, value }) => {
    const nativeEvent = names.find((name) => file.replace(/\.json$/, '').startsWith(name)) ?? file;
    return { name: file, payload: value, context: { nativeEvent, cwd: '/code', variables: {} } };
  });
}

/** Written from the vendor's facts, never from our encoder: it throws at an answer that the agent would not take. */
export async function answerReaderOf(agent: Agent): Promise<AnswerReader> {
  const { readAnswer } = (await import(`./${agent.id}/answer-reader.ts`)) as { readAnswer: AnswerReader };
  return readAnswer;
}

/** The answers that the vendor documents, and those that the real agent was seen to take beside them. Empty where none are kept. */
export function acceptedAnswers(agent: Agent): Recipe[] {
  const lists = ['documented.json', 'seen.json'].map((name) => join(folder(agent, 'answers'), name)).filter((path) => existsSync(path));
  return lists.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as Recipe[]);
}
