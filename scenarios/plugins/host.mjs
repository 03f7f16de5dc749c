// Stands for an agent: loads the plugin file that `piton init` wrote, calls its handlers, and says what came of it.
import { readFileSync, renameSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { file, directory, twice, calls } = JSON.parse(readFileSync(0, 'utf8'));
const module = await import(pathToFileURL(file).href);
const host = {
  directory,
  client: {
    session: { get: async () => ({ data: undefined }), promptAsync: async () => ({}) },
    tui: { showToast: async () => ({}) },
  },
};
const plugins = [await module.Piton(host), ...(twice ? [await module.Piton(host)] : [])];
const results = [];
for (const { hook, input, output, circular, remove } of calls) {
  if (remove) {
    renameSync(remove, `${remove}-gone`); // at once: a server may still be writing there
    continue;
  }
  if (circular) output.args.self = output;
  const said = { hook };
  try {
    for (const plugin of plugins) await plugin[hook]?.(input, output);
  } catch (error) {
    said.threw = error.message;
  }
  if (!circular) said.output = output;
  results.push(said);
}
for (const plugin of plugins) await plugin.dispose?.();
console.log(JSON.stringify({ handlers: Object.keys(plugins[0]).length, results }));
