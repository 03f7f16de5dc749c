import { lazy } from '../parts/lazy.tsx';
import './text.css';

/** Highlighted as soon as the code for it is there; the same text until then, so that nothing jumps. */
export const Code = lazy<{ readonly text: string; readonly language?: string | undefined }>(
  async () => (await import('./highlighted.tsx')).Highlighted,
  ({ text }) => (
    <pre class="highlighted">
      <code>{text}</code>
    </pre>
  ),
);
