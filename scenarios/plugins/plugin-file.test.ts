import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ackMessage, doneMessage } from '@piton/contracts';
import { ask, eventually, killServers, selectAll, serverPids, startPulse, stopPulse } from '@piton/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { beginTool, endTool, newStage, type Stage } from './setup.ts';

const DENY = `#!/bin/sh\nif grep -q forbidden; then echo '{"decision":"deny","reason":"not that"}'; fi\n`;
const counts = async (stage: Stage): Promise<number | undefined> =>
  (await ask<{ counts: { frames: number } }>(stage, 'GET', '/v1/status'))?.body.counts.frames;
const warm = (stage: Stage) => stage.piton('server', 'start');
const noServer = (stage: Stage): void => {
  mkdirSync(stage.places.environment, { recursive: true });
  writeFileSync(join(stage.places.environment, 'backoff'), `${Date.now() + 3_600_000} 1 a test\n`);
};

describe('a plugin inside an agent', () => {
  it('starts no process for an event that no hook wants', async () => {
    const stage = newStage();
    warm(stage);
    const { results } = await stage.play([beginTool('ls'), endTool('ls', 'a\n'), beginTool('pwd'), endTool('pwd', '/\n')]);
    expect(results.map(({ threw }) => threw)).toEqual([undefined, undefined, undefined, undefined]);
    expect(results[1]?.output.output).toBe('a\n');
    expect(stage.starts()).toEqual([]);
    expect(await counts(stage)).toBeGreaterThanOrEqual(4);
  });

  it('takes the answer of a module without a process', async () => {
    const stage = newStage();
    const settings = { hooks: [{ name: 'guard', event: 'pre_shell_execution', module: 'guard.mjs' }] };
    mkdirSync(stage.places.config, { recursive: true });
    writeFileSync(join(stage.places.config, 'settings.json'), JSON.stringify(settings));
    writeFileSync(
      join(stage.places.config, 'guard.mjs'),
      `export default ({ tool_input }) => tool_input.command === 'forbidden' ? { decision: 'deny', reason: 'by a module' } : undefined;\n`,
    );
    warm(stage);
    const { results } = await stage.play([beginTool('ls'), beginTool('forbidden')]);
    expect(results.map(({ threw }) => threw)).toEqual([undefined, 'by a module']);
    expect(stage.starts()).toEqual([]);
  });

  it('runs a command hook by one forwarder, and denies with its reason', async () => {
    const stage = newStage();
    stage.addHook('pre-shell-execution', DENY);
    warm(stage);
    const { results } = await stage.play([beginTool('echo forbidden'), beginTool('echo fine')]);
    expect(results.map(({ threw }) => threw)).toEqual(['not that', undefined]);
    expect(stage.starts()).toEqual(['tool.execute.before', 'tool.execute.before']);
    expect(await counts(stage)).toBe(2); // not four, though the plugin had asked first
  });

  it('changes the input in place, and the output', async () => {
    const stage = newStage();
    stage.addHook('pre-tool-use', `#!/bin/sh\necho '{"decision":"modify","input":{"command":"true"}}'\n`);
    stage.addHook('post-tool-use', `#!/bin/sh\necho '{"decision":"rewrite","output":"other"}'\n`);
    warm(stage);
    const { results } = await stage.play([beginTool('ls'), endTool('ls', 'a\n')]);
    expect(results[0]?.output.args).toEqual({ command: 'true' });
    expect(results[1]?.output.output).toBe('other');
  });

  it('sends an event once though it was started twice', async () => {
    const stage = newStage();
    warm(stage);
    await stage.play([beginTool('ls')], { twice: true });
    expect(await counts(stage)).toBe(1);
  });

  it('lets a hook observe the end of a session, which it asks about before it is reported', async () => {
    const stage = newStage();
    const log = join(stage.root, 'ended');
    stage.addHook('session-end', `#!/bin/sh\ncat > /dev/null\necho ended >> '${log}'\n`);
    warm(stage);
    const created = { id: 'evt_1', type: 'session.created', properties: { sessionID: 'ses_1', info: { id: 'ses_1' } } };
    await stage.play([{ hook: 'event', input: { event: created } }]);
    expect(stage.starts()).toEqual(['dispose']);
    expect(await eventually(() => existsSync(log))).toBe(true);
  });

  it('is recorded once though the server died over it', async () => {
    const stage = newStage();
    mkdirSync(stage.places.environment, { recursive: true, mode: 0o700 });
    writeFileSync(join(stage.places.environment, 'crash-at'), 'after-journal 2');
    warm(stage);
    const { results } = await stage.play([beginTool('ls'), beginTool('pwd')]);
    expect(results.map(({ threw }) => threw)).toEqual([undefined, undefined]);
    stage.piton('server', 'stop');
    const rows = selectAll(stage.places.store, "SELECT tool_command AS command, late FROM events WHERE event = 'pre_tool_use'");
    expect(rows.map(({ command, late }) => [command, Number(late)])).toEqual([
      ['ls', 0],
      ['pwd', 0],
    ]);
  });

  it('has a forwarder start the server where there is none', async () => {
    const stage = newStage();
    stage.addHook('pre-shell-execution', DENY);
    expect(serverPids(stage)).toEqual([]);
    const { results } = await stage.play([beginTool('echo forbidden')]);
    expect(results[0]?.threw).toBe('not that');
    expect(await eventually(() => serverPids(stage).length === 1)).toBe(true);
  });
});

describe('a plugin without Piton', () => {
  it('is silent where Piton was removed', async () => {
    const stage = newStage();
    rmSync(stage.places.home, { recursive: true });
    const { handlers, results } = await stage.play([beginTool('ls')]);
    expect(handlers).toBe(0);
    expect(results[0]?.threw).toBeUndefined();
  });

  it('is silent where Piton was removed while the agent ran', async () => {
    const stage = newStage();
    const { results } = await stage.play([beginTool('ls'), { remove: stage.places.home }, beginTool('ls')]);
    expect(results.map(({ threw }) => threw)).toEqual([undefined, undefined]);
  });

  it('denies where a guard must hold and no server can be started', async () => {
    const stage = newStage();
    stage.addHook('pre-shell-execution', '#!/bin/sh\nexit 0\n');
    const settings = { hooks: [{ name: 'guard', event: 'pre_shell_execution', command: '/nonexistent/guard', fail_closed: true }] };
    writeFileSync(join(stage.places.config, 'settings.json'), JSON.stringify(settings));
    warm(stage);
    const first = await stage.play([beginTool('ls')]);
    expect(first.results[0]?.threw).toContain('guard');
    killServers(stage);
    noServer(stage);
    const second = await stage.play([beginTool('ls')]);
    expect(second.results[0]?.threw).toContain('guard');
    rmSync(join(stage.places.current, 'piton-forward-real'));
    const third = await stage.play([beginTool('ls')]);
    expect(third.results[0]?.threw).toContain('guard'); // not even a forwarder: the deny that the server left
  });

  it('does not wait for a server that hangs', async () => {
    const stage = newStage();
    mkdirSync(stage.places.sockets, { recursive: true, mode: 0o700 });
    const mute = createServer(() => undefined).listen(stage.places.hookSocket);
    onTestFinished(() => void mute.close());
    await new Promise((resolve) => mute.once('listening', resolve));
    const { results } = await stage.play([beginTool('ls')]);
    expect(results[0]?.threw).toBeUndefined();
    expect(stage.starts()).toContain('tool.execute.before');
  });

  it('asks further when the one that it asked again was dying already', async () => {
    const stage = newStage();
    mkdirSync(stage.places.sockets, { recursive: true, mode: 0o700 });
    const answer = Buffer.from(JSON.stringify({ deny: 'by the third' }));
    let asked = 0;
    const dying = createServer((socket) => {
      const number = ++asked;
      if (number === 2) return void socket.destroy();
      socket.once('data', () => {
        socket.write(ackMessage(true));
        if (number === 1) socket.destroySoon();
        else socket.write(doneMessage({ exitCode: 0, more: false, stdout: answer, stderr: Buffer.alloc(0) }));
      });
    }).listen(stage.places.hookSocket);
    startPulse(stage.places.environment); // it may be slow on a machine that is busy, and does not hang
    onTestFinished(() => {
      stopPulse(stage.places.environment);
      dying.close();
    });
    await new Promise((resolve) => dying.once('listening', resolve));
    const { results } = await stage.play([beginTool('ls')]);
    expect(results[0]?.threw).toBe('by the third');
    expect(asked).toBe(3);
    expect(stage.starts()).not.toContain('tool.execute.before'); // by a forwarder it would be another event
  });

  it('lets no error of its own out, whatever the agent hands over, and stops a call that nobody can read', async () => {
    const stage = newStage();
    warm(stage);
    const { results } = await stage.play([{ ...beginTool('ls'), circular: true }, beginTool('ls')]);
    expect(results.map(({ threw }) => threw)).toEqual([expect.stringMatching(/^This call cannot be checked/), undefined]);
  });
});
