import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { eventually } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI, type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { openPage, type Page } from './browser.ts';

const NOBODY = 65_534;
/** Only root can be somebody else. */
const canBeOther = process.getuid?.() === 0;

/** Runs a program as them; what it printed as JSON. It stands in `-e`: they cannot read our files. */
const asOther = <T>(program: string, ...args: string[]): T =>
  JSON.parse(
    execFileSync(process.execPath, ['-e', `(async () => { ${program} })()`, ...args], {
      ...{ uid: NOBODY, gid: NOBODY, cwd: '/', encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } },
    }),
  ) as T;

describe.skipIf(!canBeOther)('a process of another user on this machine', () => {
  let box: Sandbox;
  let page: Page;
  beforeAll(async () => {
    box = sandbox();
    await box.piton(['init', '--agent', 'claude', '--yes']);
    page = await openPage(box);
  });
  afterAll(async () => {
    await page.stop();
    await box.end();
  });

  it('reads nothing from the port, whatever it says about itself', () => {
    const statuses = asOther<number[]>(
      `const port = process.argv[1];
       const found = [];
       for (const headers of [{}, { authorization: 'Bearer ' + 'A'.repeat(43) }, { origin: 'http://127.0.0.1:' + port, 'sec-fetch-site': 'same-origin' }])
         for (const path of ['/api/meta', '/api/now', '/api/live', '/api/sessions'])
           found.push((await fetch('http://127.0.0.1:' + port + path, { headers })).status);
       console.log(JSON.stringify(found));`,
      String(page.port),
    );
    expect(statuses).toHaveLength(12);
    expect(statuses.filter((status) => status !== 401 && status !== 403)).toEqual([]);
  });

  it('gets no link from the socket that gives them', () => {
    const socket = join(dirname(placesOf(box.state, box.config).cliSocket), 'ui.sock');
    const ask = `const asked = require('node:http').request({ socketPath: process.argv[1], method: 'POST', path: '/link' });
       const say = (what) => console.log(JSON.stringify(what));
       asked.on('response', (response) => say(response.statusCode)).on('error', ({ code }) => say(code)).end();`;
    expect(asOther<unknown>(ask, socket)).toBe('EACCES');
    // We ourselves get one by the same program: it asks what it should.
    expect(JSON.parse(execFileSync(process.execPath, ['-e', ask, socket], { encoding: 'utf8' }))).toBe(200);
  });

  it('finds no code and no token in what it sees of our processes', () => {
    const seen = asOther<string>(
      `const fs = require('node:fs');
       let all = '';
       for (const id of fs.readdirSync('/proc').filter((name) => Number(name) > 0))
         for (const name of ['cmdline', 'environ', 'comm'])
           try { all += fs.readFileSync('/proc/' + id + '/' + name, 'latin1') + '\\n'; } catch {}
       console.log(JSON.stringify(all));`,
    );
    expect(seen).toContain('cli.mjs');
    expect(seen).not.toContain(page.code);
  });
});

/** As a desktop has it; it keeps what it was given. */
const XDG_OPEN = '#!/bin/sh\nprintf "%s\\n" "$@" > "$HOME/given.part"\nmv "$HOME/given.part" "$HOME/given"\n';

describe.skipIf(!canBeOther || process.platform !== 'linux')('the browser of the desktop', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = sandbox();
    await box.piton(['init', '--agent', 'claude', '--yes']);
    box.write('bin/xdg-open', XDG_OPEN, 0o755);
  });
  afterAll(() => box.end());

  it('is given a link of its own, which is of no use to another user who reads it among the arguments', async () => {
    const env = { ...box.env, DISPLAY: ':0', PATH: `${join(box.home, 'bin')}:${box.env.PATH}` };
    const child = spawn('script', ['-qefc', `'${process.execPath}' '${CLI}' ui`, '/dev/null'], { env, cwd: box.home });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
    await eventually(() => existsSync(join(box.home, 'given')) && /#code=[\w-]{43}/.test(said));
    const given = new URL(box.read('given').trim());
    const shown = new URL(/http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{43}/.exec(said)?.[0] ?? '');
    expect(given.origin).toBe(shown.origin);
    expect(given.hash).not.toBe(shown.hash);
    const buy = `const [origin, code] = process.argv.slice(1);
       const answer = await fetch(origin + '/api/token', { method: 'POST', headers: { origin }, body: JSON.stringify({ code }) });
       console.log(JSON.stringify(answer.status));`;
    const code = given.hash.replace('#code=', '');
    expect(asOther<number>(buy, given.origin, code)).toBe(403);
    // Nobody has used it up.
    const own = execFileSync(process.execPath, ['-e', `(async () => { ${buy} })()`, given.origin, code], { encoding: 'utf8' });
    expect(JSON.parse(own)).toBe(200);
    child.stdin.write('\u0003');
    await eventually(() => child.exitCode !== null);
  });
});
