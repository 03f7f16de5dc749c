import type { ComponentChildren } from 'preact';

/** What is wider or higher than its place, and is scrolled by keys too. */
export function ScrollArea({
  name,
  label,
  children,
}: {
  readonly name: string;
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: else only a mouse could scroll it
    <section class={name} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
