import type { TokenCounts } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../src/index.ts';

/** One request of 1,000 new tokens, 300 out of a cache, 24 into one (4 of them for an hour), 57 out, 7 of these thought. */
const ALL: TokenCounts = { input: 1000, output: 57, reasoning: 7, cacheRead: 300, cacheWrite: 24, cacheWrite1h: 4 };
const lines = (...records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** As the agents were recorded to write it, with the numbers that their model server had sent; classes that they do not tell are 0. */
const WRITTEN: Readonly<
  Record<string, { readonly text: string; readonly counts: TokenCounts; readonly why: string; readonly beside?: true }>
> = {
  claude: {
    why: 'adds nothing up',
    text: lines({
      type: 'assistant',
      message: {
        id: 'm',
        content: [],
        usage: {
          input_tokens: 1000,
          cache_creation_input_tokens: 24,
          cache_read_input_tokens: 300,
          output_tokens: 57,
          output_tokens_details: { thinking_tokens: 7 },
          cache_creation: { ephemeral_1h_input_tokens: 4, ephemeral_5m_input_tokens: 20 },
        },
      },
    }),
    counts: ALL,
  },
  codex: {
    why: 'counts the cache as input',
    text: lines({
      type: 'token_usage_record',
      payload: {
        usage: {
          input_tokens: 1324,
          cached_input_tokens: 300,
          cache_write_input_tokens: 24,
          output_tokens: 57,
          reasoning_output_tokens: 7,
          total_tokens: 1381,
        },
        thread_token_usage: { total_tokens: 1381 },
      },
    }),
    counts: { ...ALL, cacheWrite1h: 0 },
  },
  gemini: {
    why: 'counts the cache as input, and thoughts beside the output',
    text: lines({
      id: 'm',
      type: 'gemini',
      content: '',
      tokens: { input: 1290, output: 50, cached: 300, thoughts: 7, tool: 10, total: 1357 },
    }),
    counts: { ...ALL, cacheWrite: 0, cacheWrite1h: 0 },
  },
  qwen: {
    why: "counts the cache as input, and thoughts as output with OpenAI's protocol",
    text: lines({
      uuid: 'm',
      type: 'assistant',
      usageMetadata: {
        promptTokenCount: 1300,
        candidatesTokenCount: 57,
        thoughtsTokenCount: 7,
        totalTokenCount: 1357,
        cachedContentTokenCount: 300,
      },
    }),
    counts: { ...ALL, cacheWrite: 0, cacheWrite1h: 0 },
  },
  copilot: {
    why: 'counts the cache as input',
    text: lines({
      id: 'm',
      type: 'session.usage_record',
      data: { usage: { inputTokens: 1324, outputTokens: 57, cacheReadTokens: 300, cacheWriteTokens: 24, reasoningTokens: 7 } },
    }),
    counts: { ...ALL, cacheWrite1h: 0 },
  },
  droid: {
    why: 'tells one sum of a session',
    beside: true,
    text: JSON.stringify({
      tokenUsage: { inputTokens: 1000, outputTokens: 57, cacheCreationTokens: 24, cacheReadTokens: 300, thinkingTokens: 7 },
    }),
    counts: { ...ALL, cacheWrite1h: 0 },
  },
  kimi: {
    why: 'adds nothing up, and says nothing of reasoning',
    text: lines({
      type: 'usage.record',
      model: 'mock',
      usage: { inputOther: 1000, output: 57, inputCacheRead: 300, inputCacheCreation: 24 },
      time: 1795061083146,
    }),
    counts: { ...ALL, reasoning: 0, cacheWrite1h: 0 },
  },
  grok: {
    why: 'counts the cache as input, and tells what a turn used by its models',
    text: lines({
      params: {
        _meta: { eventId: 'm' },
        update: {
          sessionUpdate: 'turn_completed',
          usage: {
            modelUsage: {
              mock: { inputTokens: 1324, outputTokens: 57, cachedReadTokens: 300, cacheCreationTokens: 24, reasoningTokens: 7 },
            },
          },
        },
      },
    }),
    counts: { ...ALL, cacheWrite1h: 0 },
  },
  cline: {
    why: 'counts the cache as input, and does not say what was thought',
    text: JSON.stringify({
      messages: [
        { id: 'm', role: 'assistant', metrics: { inputTokens: 1324, outputTokens: 57, cacheReadTokens: 300, cacheWriteTokens: 24 } },
      ],
    }),
    counts: { ...ALL, reasoning: 0, cacheWrite1h: 0 },
  },
  pi: {
    why: 'adds nothing up',
    text: lines({
      id: 'm',
      type: 'message',
      message: { role: 'assistant', usage: { input: 1000, output: 57, cacheRead: 300, cacheWrite: 24, reasoning: 7 } },
    }),
    counts: { ...ALL, cacheWrite1h: 0 },
  },
  omp: {
    why: 'adds nothing up',
    text: lines({
      id: 'm',
      type: 'message',
      message: { role: 'assistant', usage: { input: 1000, output: 57, cacheRead: 300, cacheWrite: 24, reasoningTokens: 7 } },
    }),
    counts: { ...ALL, cacheWrite1h: 0 },
  },
  auggie: {
    why: 'adds nothing up, and does not say what was thought',
    text: JSON.stringify({
      chatHistory: [
        {
          exchange: {
            request_id: 'm',
            response_nodes: [
              {
                type: 10,
                token_usage: { input_tokens: 1000, output_tokens: 57, cache_read_input_tokens: 300, cache_creation_input_tokens: 24 },
              },
            ],
          },
        },
      ],
    }),
    counts: { ...ALL, reasoning: 0, cacheWrite1h: 0 },
  },
  opencode: {
    why: 'counts thoughts beside the output',
    text: JSON.stringify({
      messages: [
        {
          info: { id: 'm', role: 'assistant', tokens: { input: 1000, output: 50, reasoning: 7, cache: { read: 300, write: 24 } } },
          parts: [],
        },
      ],
    }),
    counts: { ...ALL, cacheWrite1h: 0 },
  },
};

const NAMES: Readonly<Record<string, string>> = { kilo: 'opencode' };

describe.each(AGENTS.filter(({ transcript }) => transcript !== null))('the tokens of $title', ({ id, transcript }) => {
  const written = WRITTEN[NAMES[id] ?? id];

  it(`are counted once each, in classes: it ${written?.why ?? 'has no row here: add one'}`, () => {
    const format = written?.beside ? transcript?.beside?.format : transcript;
    const usage = format?.read(written?.text ?? '').entries.filter(({ kind }) => kind === 'usage');
    expect(usage).toEqual([expect.objectContaining(written?.counts)]);
  });
});

it('Qwen Code counts thoughts beside the output with the protocol of Gemini, as the sum shows', () => {
  const usageMetadata = { promptTokenCount: 1300, candidatesTokenCount: 50, thoughtsTokenCount: 7, totalTokenCount: 1357 };
  const format = AGENTS.find(({ id }) => id === 'qwen')?.transcript;
  const entries = format?.read(lines({ uuid: 'm', type: 'assistant', usageMetadata })).entries;
  expect(entries).toEqual([expect.objectContaining({ kind: 'usage', input: 1300, output: 57, reasoning: 7 })]);
});
