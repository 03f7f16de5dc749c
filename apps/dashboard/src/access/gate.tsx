import { Command } from '../parts/command.tsx';

import { Mark } from '../parts/mark.tsx';
import type { Access } from './token.ts';

const TEXTS: Readonly<Record<Exclude<Access, 'open'>, { readonly title: string; readonly text: string }>> = {
  'no-token': {
    title: 'This page needs a new link',
    text: 'Piton shows what your agents did only to a browser that was opened by the command. Type it, and the page opens:',
  },
  'used-code': {
    title: 'This link was used, or is older than a minute',
    text: 'Each link opens the page once. Type the command again for a new one:',
  },
  unreachable: {
    title: 'The page’s server has ended',
    text: 'It ends when nobody looks for a while. Nothing is lost: start it again.',
  },
};

export function Gate({ access }: { readonly access: Exclude<Access, 'open'> }) {
  const { title, text } = TEXTS[access];
  return (
    <main class="gate" id="content">
      <Mark />
      <h1>{title}</h1>
      <p class="soft">{text}</p>
      <Command command="piton ui" />
    </main>
  );
}
