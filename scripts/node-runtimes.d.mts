interface NodeRuntime {
  readonly major: number;
  readonly folder: string;
  readonly name: string;
  readonly binary: string;
}
export declare const NODE_RUNTIMES: readonly NodeRuntime[];
export declare const OLD_RUNTIMES: readonly NodeRuntime[];
