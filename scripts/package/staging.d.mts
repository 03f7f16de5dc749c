/** Gives back the path of the tarball. */
export declare function packStage(stage: string, out: string): string;
