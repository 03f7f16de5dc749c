import type { PageFrame, PageNow } from '@piton/contracts/page';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type LiveState, liveState, onFrame } from '../api/live.ts';
import { meta } from '../api/meta.ts';
import { useApi } from '../api/resource.ts';

import { Mark } from '../parts/mark.tsx';
import { route } from '../router/route.ts';

const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': 1.8,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
} as const;

function Icon({ children }: { readonly children: ComponentChildren }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" {...stroke}>
      {children}
    </svg>
  );
}

const PLACES: readonly (readonly [string, string, readonly string[]])[] = [
  ['now', 'Now', ['M3 12h4l3-8 4 16 3-8h4']],
  ['sessions', 'Sessions', ['M4 5h16v11H9l-5 4z', 'M8 9h8', 'M8 12.5h5']],
  [
    'repositories',
    'Repositories',
    ['M6 4v12', 'M18 8v2a4 4 0 0 1-4 4h-4', 'M6 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4z', 'M18 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4z'],
  ],
  ['hooks', 'Hooks', ['M12 3v9a4 4 0 1 1-4 4', 'M12 3l3 3', 'M12 3L9 6']],
  ['overview', 'Overview', ['M4 20V10', 'M10 20V4', 'M16 20v-7', 'M21 20H3']],
  ['search', 'Search', ['M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14z', 'M16 16l5 5']],
];
const BELOW: Readonly<Record<string, string>> = { session: 'sessions', event: 'sessions' };

const LIVE: Readonly<Record<LiveState, readonly [string, string]>> = {
  connecting: ['', 'connecting'],
  live: ['good', 'live'],
  lost: ['warn', 'connection lost, trying again'],
  asleep: ['', 'asleep'],
  off: ['', 'not live: the store is read-only'],
};

/** How many wait is seen on every page. */
function useWaitingCount(): number {
  const now = useApi('/api/now', [], {}).value;
  const [newer, set] = useState<{ readonly waiting: PageNow['waiting']; readonly seq: number }>();
  useEffect(() => onFrame(({ waiting, seq }: PageFrame) => waiting && set({ waiting, seq })), []);
  return (newer && (!now || newer.seq > now.seq) ? newer.waiting : (now?.waiting ?? [])).length;
}

/** On a narrow screen, where the foot of the rail is not shown: that what one sees is not what happens now. */
export function LiveNote() {
  const [tone, text] = LIVE[liveState.value];
  if (liveState.value !== 'lost' && liveState.value !== 'off') return null;
  return (
    <p class="note warn small live-note">
      <span class={`dot ${tone}`} /> {text}
    </p>
  );
}

export function Rail({ openHelp }: { readonly openHelp: () => void }) {
  const waiting = useWaitingCount();
  const [name = 'now'] = route.value.path;
  const [tone, text] = LIVE[liveState.value];
  useEffect(() => {
    document.title = document.title.replace(/^(?:\(\d+\) )?/, waiting > 0 ? `(${waiting}) ` : '');
  }, [waiting, name]);
  return (
    <div class="rail">
      <a class="brand" href="#/now">
        <Mark />
        Piton
      </a>
      <nav aria-label="Pages">
        <ul>
          {PLACES.map(([id, title, paths]) => (
            <li key={id}>
              <a href={`#/${id}`} aria-current={id === (BELOW[name] ?? name) ? 'page' : undefined}>
                <Icon>
                  {paths.map((path) => (
                    <path key={path} d={path} />
                  ))}
                </Icon>
                {title}
                {id === 'now' && waiting > 0 && (
                  <span class="count">
                    {waiting}
                    <span class="hidden-text"> waiting for you</span>
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="foot">
        <p class="live" role="status">
          <span class={`dot ${tone}`} /> {text}
        </p>
        {meta.value && !meta.value.server && <p>No server of Piton runs: nothing is recorded now.</p>}
        <p>
          <button type="button" class="button" onClick={openHelp}>
            <kbd>?</kbd> Keyboard
          </button>
        </p>
        {meta.value && <p class="numbers">Piton {meta.value.version}</p>}
      </div>
    </div>
  );
}
