import type { NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

interface Answer {
  readonly deny?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly context?: string;
  readonly continue?: string;
}
type Field = keyof Answer;

const EFFECTS: Readonly<Record<Field, (answer: Answer) => AgentEffect>> = {
  deny: ({ deny = '' }) => ({ denied: deny }),
  input: ({ input }) => ({ input }),
  output: ({ output }) => ({ output }),
  context: ({ context = '' }) => ({ context }),
  continue: (answer) => ({ goesOn: answer.continue ?? '' }),
};

/**
 * What comes of an answer, written from `docs/protocol.md` and from which of its handlers an agent listens to. Shares
 * nothing with the encoder; the real runs show that the plugins do it.
 */
export function pluginReader(heeded: Readonly<Record<string, readonly Field[]>>) {
  return ({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect => {
    if (exitCode !== 0 || stderr !== '') throw new Error('only exit 0 with a silent stderr is part of our dealings');
    if (stdout === '') return {};
    const { message, ...answer } = JSON.parse(stdout) as Answer & { readonly message?: string };
    if (message !== undefined && typeof message !== 'string') throw new Error('a message for the person is a text');
    const fields = Object.keys(answer) as Field[];
    const odd = fields.filter((field) => !heeded[event]?.includes(field));
    if (odd.length > 0) throw new Error(`the plugin does nothing with ${odd.join(', ')} on ${event}`);
    return Object.assign({}, ...fields.map((field) => EFFECTS[field](answer)));
  };
}

const FOREIGN = { text: 'export const Mine = async () => ({});\n', says: /not written by Piton/ };

/** The file is wholly ours: what somebody else put there is left alone, and said. */
export const PLUGIN_CONFIGS = { good: {}, broken: { 'a plugin of somebody else': FOREIGN, 'an empty file': { ...FOREIGN, text: '' } } };
