/** Puts the package @piton/hooks together in the folder. */
export declare function stageHooks(stage: string): Promise<string>;
