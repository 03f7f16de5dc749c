import { readFileSync } from 'node:fs';
import { judgeCommand } from '../block-destructive-commands/judge.ts';
const where = { cwd: '/work/app', home: '/home/sam', repo: '/work/app' };
let n = [0, 0],
  bad = 0;
for (const [i, f] of ['denied', 'allowed'].entries()) {
  const t = JSON.parse(readFileSync(new URL(`block-destructive-commands/${f}.json`, import.meta.url), 'utf8'));
  for (const [g, list] of Object.entries(t))
    for (const c of list as string[]) {
      n[i]++;
      let r: any;
      try {
        r = judgeCommand(c, where);
      } catch (e) {
        r = { what: 'THROW ' + (e as Error).stack };
      }
      if (f === 'denied' ? !r || r.ask : r) {
        bad++;
        console.log(f, '|', g, '|', JSON.stringify(c), '=>', r?.what, r?.ask ?? '');
      }
    }
}
console.log(n, bad);
