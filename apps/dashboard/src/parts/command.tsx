import type { PageCommand } from '@piton/contracts/page';
import { useState } from 'preact/hooks';
import { nameOfPath } from './format.ts';

/** Where there is no clipboard (plain http on another host) the text is selected instead. */
async function copy(text: string, shown: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown);
    return false;
  }
}

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [said, say] = useState('');
  const press = async (event: Event) => {
    const shown = (event.currentTarget as HTMLElement).parentElement?.querySelector('code') ?? null;
    say((await copy(text, shown)) ? 'Copied' : 'Selected');
    setTimeout(say, 1_500, '');
  };
  return (
    <button type="button" class="button" onClick={(event) => void press(event)} aria-label={`${label}: ${text}`}>
      <span aria-live="polite">{said || label}</span>
    </button>
  );
}

/** The page runs nothing: it shows what to type. */
export function Command({ command }: { readonly command: string }) {
  return (
    <div class="command">
      <code>{command}</code>
      <CopyButton text={command} />
    </div>
  );
}

const DOES: Readonly<Record<PageCommand['does'], string>> = {
  rewind: 'Back to here',
  'rewind-undo': 'Undo the way back',
  'wrong-deny': 'This deny was wrong',
  resume: 'Go on with this session',
  handoff: 'Go on in another agent',
  export: 'Export',
  explain: 'Explain',
  trust: 'Trust it',
  promote: 'Let it decide',
  backtest: 'Try it on what happened',
  test: 'Run its test cases',
};

export function Commands({ commands }: { readonly commands: readonly PageCommand[] }) {
  if (commands.length === 0) return null;
  return (
    <ul class="commands">
      {commands.map(({ does, command, directory }) => (
        <li key={`${does} ${command}`}>
          <span class="small soft">
            {DOES[does]}
            {directory && <span title={directory}> · in {nameOfPath(directory)}</span>}
          </span>
          <Command command={command} />
        </li>
      ))}
    </ul>
  );
}
