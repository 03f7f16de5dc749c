/** Puts the package @piton/contracts together in the folder. */
export declare function stageContracts(stage: string): Promise<string>;
