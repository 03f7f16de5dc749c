export { frame, known } from '../../../packages/lifecycle/test/frames.ts';
