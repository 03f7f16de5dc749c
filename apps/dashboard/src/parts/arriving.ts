const LONGEST_MS = 10_000;

/**
 * A page that was just opened is shown from its top down: what comes below a part that is not there yet would be pushed away by it. Later,
 * when somebody opens a part, nothing is hidden.
 */
export function arriving(content: HTMLElement): () => void {
  const until = performance.now() + LONGEST_MS;
  content.classList.add('arriving');
  let frame = requestAnimationFrame(function look() {
    if (content.querySelector('.bones') && performance.now() < until) frame = requestAnimationFrame(look);
    else content.classList.remove('arriving');
  });
  return () => cancelAnimationFrame(frame);
}
