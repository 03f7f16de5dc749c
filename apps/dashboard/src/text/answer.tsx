import { lazy } from '../parts/lazy.tsx';
import './text.css';

/** What an agent wrote, as Markdown; plain until the code for that is there. */
export const AnswerText = lazy<{ readonly text: string }>(
  async () => (await import('./markdown.tsx')).Markdown,
  ({ text }) => <div class="markdown plain">{text}</div>,
);
