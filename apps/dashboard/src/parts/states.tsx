import type { PageProblem } from '@piton/contracts/page';
import type { ComponentChildren } from 'preact';
import type { Resource } from '../api/resource.ts';
import { Command } from './command.tsx';

export function Bones({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div class="bones" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} />
      ))}
    </div>
  );
}

export function Problem({ problem, retry }: { readonly problem: PageProblem; readonly retry?: () => void }) {
  return (
    <div class="note bad" role="alert">
      <p>{problem.error}</p>
      {problem.fix && <p class="small">{problem.fix}</p>}
      {retry && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Empty({ title, text, command }: { readonly title: string; readonly text?: ComponentChildren; readonly command?: string }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {text && <p>{text}</p>}
      {command && <Command command={command} />}
    </div>
  );
}

/** A value, or what stands in its place. A value that could not be read anew stays, with the problem above it. */
export function Shown<Value>(props: {
  readonly of: Resource<Value>;
  readonly lines?: number;
  readonly children: (value: Value) => ComponentChildren;
}) {
  const { value, problem, reload } = props.of;
  return (
    <>
      {problem && <Problem problem={problem} retry={reload} />}
      {value !== undefined ? props.children(value) : !problem && <Bones lines={props.lines ?? 4} />}
    </>
  );
}

export function More({ more }: { readonly more: (() => void) | undefined }) {
  if (!more) return null;
  return (
    <p class="more">
      <button type="button" class="button" onClick={more}>
        Show more
      </button>
    </p>
  );
}
