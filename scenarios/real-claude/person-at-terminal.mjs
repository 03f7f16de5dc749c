// Runs in a bed: a person starts an agent on a terminal and has the page of `piton ui` open. Prints what the page showed as JSON.
// person-at-terminal.mjs <cli.mjs> <playwright-core> <chromium> <command of the agent…>
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const [cli, playwright, chromium, ...command] = process.argv.slice(2);
const PATIENCE_MS = 90_000;

/** A terminal of a usual size: the agent draws its question there, and reads keys. */
function startOnTerminal(argv) {
  const quoted = argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const child = spawn('script', ['-qefc', `stty rows 40 cols 120; exec ${quoted}`, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    screen = (screen + text).slice(-20_000);
  });
  return { type: (keys) => child.stdin.write(keys), screen: () => screen, ended: new Promise((done) => child.once('exit', done)) };
}

function linkOf(page) {
  return new Promise((done, fail) => {
    let out = '';
    page.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
      if (out.trimEnd().endsWith('}')) done(JSON.parse(out).link);
    });
    page.once('exit', (code) => fail(new Error(`piton ui ended with ${code}`)));
  });
}

const page = spawn(process.execPath, [cli, 'ui', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
const browser = await createRequire(import.meta.url)(playwright).chromium.launch({
  executablePath: chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
});
try {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(PATIENCE_MS);
  await tab.goto(await linkOf(page));
  await tab.getByText('Nobody waits for you.').waitFor();

  const agent = startOnTerminal(command);
  const card = tab.locator('.card.waiting');
  await card.waitFor().catch((error) => {
    throw new Error(`${error}\nthe agent's terminal:\n${agent.screen()}`);
  });
  const shown = { title: await tab.title(), text: await card.innerText(), code: await card.locator('code').textContent() };
  // Yes is what its question has chosen already.
  agent.type('\r');
  await card.waitFor({ state: 'detached' }).catch((error) => {
    throw new Error(`${error}\nthe agent's terminal:\n${agent.screen()}`);
  });
  await tab.getByText('Nobody waits for you.').waitFor();
  // Two Ctrl-C end it; it takes them only between its own steps.
  let isOver = false;
  void agent.ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    agent.type('\u0003');
    await sleep(300);
  }
  process.stdout.write(JSON.stringify({ shown, after: await tab.title() }));
} finally {
  await browser.close();
  page.kill('SIGTERM');
}
