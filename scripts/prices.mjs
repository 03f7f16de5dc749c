// npm run prices [-- <version>]: makes the table of list prices (packages/prices/src/table.json) from LiteLLM's public one, which its
// package on PyPI holds. Prices are dollars for a million tokens. Run it by hand, read the diff, and commit it: cost is shown with its date.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settleUsage } from './usage.mjs';

settleUsage('usage: npm run prices -- [version]', []);

/** Whose models our agents use, first hand; and what GitHub bills for those of others. */
const PROVIDERS = ['anthropic', 'openai', 'gemini', 'xai', 'moonshot', 'deepseek', 'zai', 'mistral', 'dashscope', 'github_copilot'];
/** Their prices are those of a model sold elsewhere under the same name, so their names keep the prefix. */
const RESELLERS = new Set(['github_copilot']);
const CLASSES = {
  input: 'input_cost_per_token',
  output: 'output_cost_per_token',
  cacheRead: 'cache_read_input_token_cost',
  cacheWrite: 'cache_creation_input_token_cost',
  cacheWrite1h: 'cache_creation_input_token_cost_above_1hr',
};
const FILE = 'litellm/model_prices_and_context_window_backup.json';
const GOAL = new URL('../packages/prices/src/table.json', import.meta.url);

const [version] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'piton-prices-'));
try {
  const name = version === undefined ? 'litellm' : `litellm==${version}`;
  execFileSync('python3', ['-m', 'pip', 'download', '--no-deps', '--quiet', '--dest', folder, name], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [wheel] = readdirSync(folder);
  execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder]);
  const models = modelsOf(JSON.parse(readFileSync(join(folder, FILE), 'utf8')));
  const rows = Object.entries(models).map(([model, price]) => `    ${JSON.stringify(model)}: ${JSON.stringify(price)}`);
  const head = {
    source: `model_prices_and_context_window_backup.json of LiteLLM ${wheel.split('-')[1]} (MIT outside of its folder enterprise)`,
    date: new Date().toISOString().slice(0, 10),
  };
  writeFileSync(GOAL, `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "models": {\n${rows.join(',\n')}\n  }\n}\n`);
  console.log(`prices: ${rows.length} models, ${head.source}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function modelsOf(table) {
  const models = {};
  for (const provider of PROVIDERS)
    for (const [name, facts] of Object.entries(table)) {
      if (facts.litellm_provider !== provider || !['chat', 'responses'].includes(facts.mode) || name.startsWith('ft:')) continue;
      const price = priceOf(facts, '');
      if (price.input === undefined || price.output === undefined) continue;
      const key = RESELLERS.has(provider) ? name : name.slice(name.lastIndexOf('/') + 1);
      // The first provider of a name is the one who makes it.
      models[key] ??= { ...price, ...tiersOf(facts) };
    }
  return Object.fromEntries(Object.entries(models).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function priceOf(facts, suffix) {
  const fields = Object.entries(CLASSES).map(([name, field]) => [name, facts[`${field}${suffix}`]]);
  return Object.fromEntries(fields.filter(([, cost]) => typeof cost === 'number').map(([name, cost]) => [name, perMillion(cost)]));
}

function perMillion(cost) {
  return Number((cost * 1e6).toPrecision(6));
}

/** Prices of requests with more input than this; a class that a tier does not name costs what it costs below. */
function tiersOf(facts) {
  const sizes = Object.keys(facts).flatMap((field) => /^input_cost_per_token_above_(\d+)k_tokens$/.exec(field)?.[1] ?? []);
  const tiers = sizes.map(Number).sort((a, b) => a - b);
  return tiers.length === 0 ? {} : { tiers: tiers.map((size) => ({ above: size * 1000, ...priceOf(facts, `_above_${size}k_tokens`) })) };
}
