import { fieldsOf, type Json, listOf, textOf, textsOf } from './json.ts';
import type { Protocol } from './protocol.ts';
import { type ModelTurn, piecesOf, promptTokensOf, tokensOf } from './script.ts';

const callsOf = (turn: ModelTurn, id: string): Json[] =>
  (turn.calls ?? []).map((call, i) => ({ functionCall: { id: `${id}_${i}`, name: call.name, args: call.input ?? {} } }));

/** What was thought is no part of what was answered. */
function usageOf(turn: ModelTurn): Json {
  const { output, reasoning, cacheRead } = tokensOf(turn);
  return {
    promptTokenCount: promptTokensOf(turn),
    candidatesTokenCount: output,
    totalTokenCount: promptTokensOf(turn) + output + reasoning,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
  };
}

const answerOf = (parts: readonly Json[], last: boolean, turn: ModelTurn, id: string, model: string): Json => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(last && { finishReason: 'STOP' }) }],
  usageMetadata: usageOf(turn),
  modelVersion: model,
  responseId: id,
});

/** Gemini's generateContent. */
export const gemini: Protocol = {
  name: 'gemini',
  serves: (path) => /:(streamGenerateContent|generateContent)(\?|$)/.test(path),
  otherAnswer: (path) => (path.includes(':countTokens') ? { totalTokens: 10 } : undefined),

  read(body, path) {
    const contents = listOf(body.contents).map(fieldsOf);
    const config = fieldsOf(body.generationConfig);
    const answers = contents.flatMap((content) => listOf(content.parts).map((part) => fieldsOf(part).functionResponse)).filter(Boolean);
    return {
      model: /models\/([^:?]+):/.exec(path)?.[1] ?? '',
      stream: path.includes(':streamGenerateContent'),
      tools: listOf(body.tools)
        .flatMap((tool) => listOf(fieldsOf(tool).functionDeclarations))
        .map((declared) => textOf(fieldsOf(declared).name)),
      userTexts: contents.filter((content) => content.role === 'user').flatMap((content) => textsOf(content.parts)),
      toolResults: answers.map(fieldsOf).map((answer) => {
        const response = fieldsOf(answer.response);
        return {
          call: textOf(answer.id ?? answer.name),
          text: textOf(response.output ?? response.error ?? answer.response),
          failed: 'error' in response,
        };
      }),
      schema: config.responseJsonSchema ?? config.responseSchema,
    };
  },

  whole: (turn, id, model) => answerOf([...(turn.text ? [{ text: turn.text }] : []), ...callsOf(turn, id)], true, turn, id, model),

  stream(turn, id, model) {
    const texts = piecesOf(turn).map((text): Json[] => [{ text }]);
    const parts = turn.calls?.length || texts.length === 0 ? [...texts, callsOf(turn, id)] : texts;
    return parts.map((some, i) => ({ data: answerOf(some, i === parts.length - 1, turn, id, model) }));
  },
};
