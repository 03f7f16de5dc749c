import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentOf, openScene, type Scene } from './setup.ts';

const LINE = `${JSON.stringify({ type: 'user', uuid: '1', message: { content: 'hello' } })}\n`;
const claude = agentOf('claude');
let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.end());
const count = async (): Promise<number> => (await scene.store.stats()).transcriptEntries;
const elsewhere = (name: string): string => join(dirname(scene.home), name);

describe('a payload may name any path, but only a transcript of this user is read', () => {
  it.each(['/etc/passwd', '/dev/zero', '/proc/self/environ', 'relative.jsonl', '', '/nowhere/at/all', '/tmp/\0x', '../../etc/shadow'])(
    '%j is not',
    async (path) => {
      await scene.read(claude, path);
      expect(await scene.store.transcriptHeads(scene.session)).toEqual([]);
    },
  );

  it('a file outside the home is not, and that is reported once', async () => {
    writeFileSync(elsewhere('out.jsonl'), LINE);
    await scene.read(claude, elsewhere('out.jsonl'));
    await scene.read(claude, elsewhere('out.jsonl'));
    expect(await count()).toBe(0);
    expect(scene.problems).toEqual([expect.stringContaining('neither in your home nor where the agent keeps')]);
  });

  it('a link out of the home is not, whichever path leads there', async () => {
    writeFileSync(elsewhere('out.jsonl'), LINE);
    symlinkSync(elsewhere('out.jsonl'), join(scene.home, 'in.jsonl'));
    symlinkSync(dirname(scene.home), join(scene.home, 'up'));
    await scene.read(claude, join(scene.home, 'in.jsonl'));
    await scene.read(claude, join(scene.home, 'up', 'out.jsonl'));
    await scene.read(claude, join(scene.home, '..', 'out.jsonl'));
    expect(await count()).toBe(0);
    expect(scene.problems).toHaveLength(3);
  });

  it('a pipe, a socket and a directory are not, and do not block', async () => {
    const [pipe, socket, folder] = ['pipe', 'socket', 'folder'].map((name) => join(scene.home, name)) as [string, string, string];
    execFileSync('mkfifo', [pipe]);
    mkdirSync(folder);
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once('listening', resolve));
    for (const path of [pipe, socket, folder]) await scene.read(claude, path);
    server.close();
    expect(await count()).toBe(0);
    expect(scene.problems).toHaveLength(3);
  });

  it('a file in another format leaves nothing in the store', async () => {
    writeFileSync(join(scene.home, 'id_rsa'), `-----BEGIN OPENSSH PRIVATE KEY-----\n${'b3BlbnNzaC1rZXk\n'.repeat(20)}`);
    writeFileSync(join(scene.home, 'config.json'), '{"type":"user","token":"x"}\n'.repeat(100));
    await scene.read(claude, join(scene.home, 'id_rsa'));
    await scene.read(claude, join(scene.home, 'config.json'));
    expect(await scene.store.transcriptHeads(scene.session)).toEqual([]);
  });

  it('one where the agent keeps its transcripts is, wherever that is', async () => {
    mkdirSync(elsewhere('agent/sessions'), { recursive: true });
    writeFileSync(elsewhere('agent/sessions/t.jsonl'), LINE);
    await scene.read(claude, elsewhere('agent/sessions/t.jsonl'), { agentPath: elsewhere('agent/sessions/other.jsonl') });
    expect(await count()).toBe(1);
  });

  it('one below a linked directory of the home is, and so is one with two names', async () => {
    mkdirSync(join(scene.home, 'dotfiles'));
    writeFileSync(join(scene.home, 'dotfiles', 't.jsonl'), LINE);
    symlinkSync('dotfiles', join(scene.home, '.agent'));
    linkSync(join(scene.home, 'dotfiles', 't.jsonl'), join(scene.home, 'second.jsonl'));
    await scene.read(claude, join(scene.home, '.agent', 't.jsonl'));
    await scene.read(claude, join(scene.home, 'second.jsonl'));
    expect(await count()).toBe(2);
  });
});
