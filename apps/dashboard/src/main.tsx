import './style/tokens.css';
import './style/base.css';
import './style/parts.css';
import './style/shell.css';
import type { PageMeta } from '@piton/contracts/page';
import { render } from 'preact';
import { Gate } from './access/gate.tsx';
import { borrowToken, lendToken } from './access/tabs.ts';
import { enter, takeCode } from './access/token.ts';
import { access, request } from './api/client.ts';
import { liveState, startLive } from './api/live.ts';
import { meta } from './api/meta.ts';
import { App } from './app.tsx';
import { listenToKeys } from './keyboard/keys.ts';

function Root() {
  const state = access.value;
  if (state === 'entering') return null;
  return state === 'open' ? <App /> : <Gate access={state} />;
}

async function begin(code: string | null): Promise<void> {
  const entered = await enter(code, borrowToken);
  if (entered !== 'open') {
    access.value = entered;
    return;
  }
  const answer = await request<PageMeta>('/api/meta');
  if (!answer.ok) {
    access.value = answer.problem.problem === 'token' ? 'no-token' : 'unreachable';
    return;
  }
  meta.value = answer.value;
  access.value = 'open';
  lendToken();
  const { live, store } = answer.value;
  if (live) startLive({ store: store?.id ?? '', seq: store?.seq ?? 0 });
  else liveState.value = 'off';
}

const code = takeCode();
const place = document.getElementById('page');
if (place) render(<Root />, place);
listenToKeys();
void begin(code);
// The link was opened in a tab that has the page already: only the fragment changes then.
addEventListener('hashchange', () => {
  const next = takeCode();
  if (next) void begin(next).then(() => location.reload());
});
