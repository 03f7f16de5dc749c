import { describe, expect, it } from 'vitest';
import { lastDays } from '../../src/ui/answers/days.ts';

const at = (text: string): number => Date.parse(text);
const shown = (count: number, now: string, zone: string): string[] =>
  lastDays(count, at(now), zone).map(({ day, from }) => `${day} from ${new Date(from).toISOString().slice(0, 16)}`);

describe('days of a time zone', () => {
  it.each([
    ['UTC', ['2026-11-17 from 2026-11-17T00:00', '2026-11-18 from 2026-11-18T00:00']],
    ['Asia/Kathmandu', ['2026-11-17 from 2026-11-16T18:15', '2026-11-18 from 2026-11-17T18:15']],
    ['Pacific/Kiritimati', ['2026-11-18 from 2026-11-17T10:00', '2026-11-19 from 2026-11-18T10:00']],
    ['Pacific/Pago_Pago', ['2026-11-17 from 2026-11-17T11:00', '2026-11-18 from 2026-11-18T11:00']],
  ])('%s', (zone, days) => {
    expect(shown(2, '2026-11-18T12:00:00Z', zone)).toEqual(days);
  });

  it('have 23 hours where clocks are put forward, and 25 where they are put back', () => {
    const hours = (now: string): number[] => {
      const days = lastDays(3, at(now), 'Europe/Berlin');
      return days.slice(1).map(({ from }, index) => (from - (days[index]?.from ?? 0)) / 3_600_000);
    };
    expect(hours('2026-03-30T12:00:00Z')).toEqual([24, 23]);
    expect(hours('2026-10-26T12:00:00Z')).toEqual([24, 25]);
  });

  it('begin where the clock begins if there is no midnight', () => {
    expect(shown(2, '2026-09-06T20:00:00Z', 'America/Santiago')).toEqual([
      '2026-09-05 from 2026-09-05T04:00',
      '2026-09-06 from 2026-09-06T04:00',
    ]);
  });

  it('go over the ends of months and years', () => {
    expect(lastDays(3, at('2028-03-01T12:00:00Z'), 'UTC').map(({ day }) => day)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
    expect(lastDays(2, at('2027-01-01T12:00:00Z'), 'UTC').map(({ day }) => day)).toEqual(['2026-12-31', '2027-01-01']);
  });

  it('follow one another without a gap for a year, in every zone', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const days = lastDays(366, at('2026-11-18T12:00:00Z'), zone);
      const dayAt = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
      for (const { day, from } of days.filter((_, index) => index % 40 === 0)) {
        expect([zone, dayAt.format(from), dayAt.format(from - 1) < day]).toEqual([zone, day, true]);
      }
    }
  });
});
