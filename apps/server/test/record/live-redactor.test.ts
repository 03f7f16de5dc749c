import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor } from '@piton/redact';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProblemLog } from '../../src/process/problem-log.ts';
import { liveRedactor } from '../../src/record/live-redactor.ts';
import { quarantineFrame } from '../../src/record/quarantine.ts';

const key = Buffer.alloc(32, 2);
const SECRET = `ghp${'_'}${'Q7w'.repeat(12)}`;
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'piton-live-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const settings = (text: string): void => writeFileSync(join(directory, 'settings.json'), text);

describe('the redactor of a running server', () => {
  it('loads changed rules, and keeps the old ones while the file is being edited', () => {
    const reported: string[] = [];
    const redactor = liveRedactor(key, directory, (what) => reported.push(what));
    const { version } = redactor;
    expect(redactor.text('EMP-123456')).toBe('EMP-123456');

    settings('{ "redact": { "rules": [{ "name": "badge", "pattern": "EMP-\\\\d{6}" }] } } // mine');
    redactor.refresh();
    expect(redactor.text('EMP-123456')).toMatch(/^\[redacted:badge:/);
    expect(redactor.version).not.toBe(version);

    settings('{ "redact": { "rules": [ ');
    redactor.refresh();
    expect(redactor.text('EMP-123456')).toMatch(/^\[redacted:badge:/);

    rmSync(join(directory, 'settings.json'));
    redactor.refresh();
    expect(redactor.text('EMP-123456')).toBe('EMP-123456');
    expect(redactor.version).toBe(version);
    expect(reported).toEqual([]);
  });

  it('reports invalid rules, and uses the others', () => {
    const reported: string[] = [];
    settings('{ "redact": { "rules": [{ "name": "slow", "pattern": "(a+)+" }, { "name": "x", "pattern": "XX-\\\\d{3}" }] } }');
    const redactor = liveRedactor(key, directory, (what) => reported.push(what));
    expect(redactor.text('XX-123')).toMatch(/^\[redacted:x:/);
    expect(reported).toEqual([expect.stringMatching(/slow/)]);
  });
});

describe('what the server writes besides events', () => {
  const redactor = createRedactor({ key });

  it('is redacted in the problem log; raw text does not compile', () => {
    const problems = new ProblemLog(directory, (text) => redactor.text(text));
    problems.add(redactor.text(`Unexpected token in JSON: ${SECRET}`), redactor.text('look'));
    const log = readFileSync(join(directory, 'troubles.log'), 'utf8');
    expect(log).toContain('[redacted:github:');
    expect(log).not.toContain(SECRET);
    // @ts-expect-error not redacted
    const raw = (): void => problems.add('raw', redactor.text('x'));
    expect(raw).toBeTypeOf('function');
  });

  it('is redacted in the quarantine', () => {
    quarantineFrame(directory, 'one', redactor.text(`{"a":"${SECRET}"}`), redactor.text('odd'));
    expect(readFileSync(join(directory, 'one.frame'), 'utf8')).toMatch(/^\{"a":"\[redacted:github:/);
    // @ts-expect-error not redacted
    const raw = (): void => quarantineFrame(directory, 'two', `{"a":"x"}`, redactor.text('odd'));
    expect(raw).toBeTypeOf('function');
  });
});
