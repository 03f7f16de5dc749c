/** Puts the package @piton/cli together in the folder, from the build. */
export declare function stageCli(stage: string, forwarders?: Readonly<Record<string, string>>): string;
