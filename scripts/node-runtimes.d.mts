export declare const NODE_RUNTIMES: readonly {
  readonly major: number;
  readonly folder: string;
  readonly name: string;
  readonly binary: string;
}[];
