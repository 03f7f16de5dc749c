/** The sign of Piton: in the page itself, so that nothing has to be loaded for it. The icon of the tab is the same. */
export function Mark() {
  return (
    <svg class="piton-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#b4532a" />
      <path
        d="M10 25V8h7.5a5.5 5.5 0 0 1 0 11H10"
        fill="none"
        stroke="#fff"
        stroke-width="3.4"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      <circle cx="17.4" cy="13.5" r="1.9" fill="#fff" />
    </svg>
  );
}
