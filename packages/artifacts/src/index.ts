export { anchored } from './anchor.ts';
export { type ArtifactProblem, type ParsedArtifact, parseArtifact } from './parse.ts';
