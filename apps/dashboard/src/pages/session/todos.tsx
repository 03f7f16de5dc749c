import type { PageTodo } from '@piton/contracts/page';

const SIGNS = { open: '○', active: '◐', done: '●' } as const;
const TEXTS = { open: 'open', active: 'being done', done: 'done' } as const;

export function Todos({ items }: { readonly items: readonly PageTodo[] }) {
  return (
    <ul class="todos">
      {items.map(({ text, status }, at) => (
        <li key={at} class={status}>
          <span aria-hidden="true">{SIGNS[status]}</span>
          <span class="hidden-text">{TEXTS[status]}: </span>
          <span class="anywhere">{text}</span>
        </li>
      ))}
    </ul>
  );
}
