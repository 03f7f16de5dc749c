import type { PageProblem, PageText } from '@piton/contracts/page';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { readWhole } from '../api/client.ts';
import { formatWhole } from '../parts/format.ts';

/** A text with a limit, and a way to read all of it. */
export function LimitedText({ value, children }: { readonly value: PageText; readonly children: (text: string) => ComponentChildren }) {
  const [whole, set] = useState<{ of: PageText; text: string; cut: number }>();
  const [problem, fail] = useState<PageProblem>();
  const shown = whole?.of === value ? whole : value;
  const read = async (path: string) => {
    const answer = await readWhole(path);
    if (answer.ok) set({ of: value, ...answer.value });
    else fail(answer.problem);
  };
  const path = shown === value ? value.whole : null;
  return (
    <>
      {children(shown.text)}
      {shown.cut > 0 && (
        <p class="small soft cut">
          {formatWhole(shown.cut)} more characters.{' '}
          {path && (
            <button type="button" class="button" onClick={() => void read(path)}>
              Show all
            </button>
          )}
          {problem?.error}
        </p>
      )}
    </>
  );
}
