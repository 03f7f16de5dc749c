import { END, END_WORD, looksMixed, looksRandom, type Rule } from './rule.ts';

const ANTHROPIC = 'https://platform.claude.com/docs/en/api/overview';
const OPENAI = 'https://platform.openai.com/docs/api-reference/authentication';

/** Keys of the services that agents themselves talk to. */
export const MODELS: readonly Rule[] = [
  { kind: 'anthropic', page: ANTHROPIC, prefixes: ['sk-ant-'], rest: '[A-Za-z0-9_-]{20,255}' },
  {
    kind: 'openrouter',
    page: 'https://openrouter.ai/docs/api-reference/authentication',
    prefixes: ['sk-or-v1-'],
    rest: `[a-f0-9]{64}${END}`,
  },
  {
    kind: 'langfuse',
    page: 'https://langfuse.com/docs/api-and-data-platform/features/public-api',
    prefixes: ['sk-lf-'],
    rest: `[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}${END}`,
  },
  // `sk-` also begins class names; a key has digits and capitals, or is hex.
  { kind: 'openai', page: OPENAI, prefixes: ['sk-'], rest: '[A-Za-z0-9_-]{20,255}', test: looksMixed },
  { kind: 'deepseek', page: 'https://api-docs.deepseek.com/', prefixes: ['sk-'], rest: `[a-f0-9]{32}${END_WORD}` },
  {
    kind: 'huggingface',
    page: 'https://huggingface.co/docs/hub/security-tokens',
    prefixes: ['hf_', 'api_org_'],
    rest: `[A-Za-z0-9]{34,40}${END}`,
    test: (text) => /[a-z]/.test(text) && /[A-Z]/.test(text),
  },
  { kind: 'replicate', page: 'https://replicate.com/docs/topics/security/api-tokens', prefixes: ['r8_'], rest: `[A-Za-z0-9]{37}${END}` },
  { kind: 'groq', page: 'https://console.groq.com/docs/quickstart', prefixes: ['gsk_'], rest: `[A-Za-z0-9]{48,56}${END}` },
  { kind: 'xai', page: 'https://docs.x.ai/docs/overview', prefixes: ['xai-'], rest: `[A-Za-z0-9]{70,90}${END}` },
  { kind: 'perplexity', page: 'https://docs.perplexity.ai/getting-started/quickstart', prefixes: ['pplx-'], rest: `[A-Za-z0-9]{48}${END}` },
  { kind: 'cerebras', page: 'https://inference-docs.cerebras.ai/quickstart', prefixes: ['csk-'], rest: `[a-z0-9]{48}${END}` },
  {
    kind: 'fireworks',
    page: 'https://docs.fireworks.ai/getting-started/quickstart',
    prefixes: ['fw_'],
    rest: `[A-Za-z0-9]{22,26}${END}`,
    test: looksMixed,
  },
  { kind: 'nvidia', page: 'https://docs.api.nvidia.com/nim/docs/api-quickstart', prefixes: ['nvapi-'], rest: '[A-Za-z0-9_-]{60,70}' },
  { kind: 'elevenlabs', page: 'https://elevenlabs.io/docs/api-reference/authentication', prefixes: ['sk_'], rest: `[a-f0-9]{48}${END}` },
  {
    kind: 'langsmith',
    page: 'https://docs.langchain.com/langsmith/create-account-api-key',
    prefixes: ['lsv2_pt_', 'lsv2_sk_'],
    rest: `[a-f0-9]{32}_[a-f0-9]{10}${END}`,
  },
  { kind: 'pinecone', page: 'https://docs.pinecone.io/guides/projects/manage-api-keys', prefixes: ['pcsk_'], rest: '[A-Za-z0-9_]{50,80}' },
  {
    kind: 'tavily',
    page: 'https://docs.tavily.com/documentation/quickstart',
    prefixes: ['tvly-'],
    rest: '[A-Za-z0-9-]{28,60}',
    test: looksRandom,
  },
  { kind: 'together', page: 'https://docs.together.ai/docs/quickstart', prefixes: ['tgp_v1_'], rest: '[A-Za-z0-9_-]{40,64}' },
  {
    kind: 'voyage',
    page: 'https://docs.voyageai.com/docs/api-key-and-installation',
    prefixes: ['pa-'],
    rest: `[A-Za-z0-9_-]{43}${END_WORD}`,
    test: looksMixed,
  },
  { kind: 'jina', page: 'https://jina.ai/embeddings/', prefixes: ['jina_'], rest: '[A-Za-z0-9_-]{50,80}', test: looksMixed },
  { kind: 'llamacloud', page: 'https://docs.cloud.llamaindex.ai/', prefixes: ['llx-'], rest: '[A-Za-z0-9]{40,64}' },
  { kind: 'firecrawl', page: 'https://docs.firecrawl.dev/introduction', prefixes: ['fc-'], rest: `[a-f0-9]{32}${END}` },
  { kind: 'e2b', page: 'https://e2b.dev/docs/api-key', prefixes: ['e2b_'], rest: `[a-f0-9]{40}${END}` },
  {
    kind: 'wandb',
    page: 'https://docs.wandb.ai/guides/track/environment-variables',
    prefixes: ['wandb_v1_'],
    rest: '[A-Za-z0-9_]{40,120}',
    test: looksMixed,
  },
  {
    kind: 'modal',
    page: 'https://modal.com/docs/reference/modal.config',
    prefixes: ['ak-', 'as-'],
    rest: `[A-Za-z0-9]{22}${END_WORD}`,
    test: looksMixed,
  },
  { kind: 'cursor', page: 'https://cursor.com/docs/cli/reference/authentication', prefixes: ['key_', 'crsr_'], rest: `[a-f0-9]{64}${END}` },
  {
    kind: 'brave',
    page: 'https://api-dashboard.search.brave.com/app/documentation',
    prefixes: ['BSA'],
    rest: `[A-Za-z0-9_-]{28}${END_WORD}`,
    test: looksMixed,
  },
];
