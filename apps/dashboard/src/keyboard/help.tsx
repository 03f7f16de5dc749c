import { useEffect, useRef } from 'preact/hooks';
import { activeKeys } from './keys.ts';

export function KeyHelp({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const byKey = new Map(activeKeys().map((each) => [each.key, each.does]));
  return (
    <dialog ref={dialog} aria-labelledby="keys-title" onClose={close}>
      <h2 id="keys-title">Keyboard</h2>
      <dl class="keys">
        {[...byKey].map(([key, does]) => [
          <dt key={key}>
            <kbd>{key}</kbd>
          </dt>,
          <dd key={`${key} does`}>{does}</dd>,
        ])}
        <dt>
          <kbd>Enter</kbd>
        </dt>
        <dd>open the row</dd>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>leave a field, close this</dd>
      </dl>
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
