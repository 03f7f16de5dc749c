/** The fields of the portable payload that the library's modules read. */
export interface Payload {
  readonly cwd: string;
  readonly tool_name?: string;
  readonly tool_input?: Readonly<Record<string, unknown>>;
  readonly piton: {
    readonly tool?: {
      readonly kind: string;
      readonly command?: string;
      readonly files: readonly string[];
      /** The same files, links followed. */
      readonly resolved?: readonly (string | null)[];
    };
    readonly repo: string | null;
  };
}

export type Answer = { readonly decision: 'deny' | 'ask'; readonly reason: string } | undefined;

export function commandOf({ piton, tool_input }: Payload): string | undefined {
  const command = piton.tool?.command ?? tool_input?.command;
  return typeof command === 'string' ? command : undefined;
}
