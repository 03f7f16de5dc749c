import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeOn, mounted } from './mounted.ts';
import { seededRandom } from './random.ts';
import { directory, Scratch } from './scratch.ts';
import { BytesDay } from './torture/bytes-day.ts';
import { RewindDay } from './torture/rewind-day.ts';
import { againLine, announce, playedSeeds, stepsOf } from './torture/seeds.ts';
import { SmallDisk } from './torture/small-disk.ts';
import { Tally } from './torture/tally.ts';

/** Days of both kinds on which the disk is full now and then: that of the repository, that of what Piton knows, or both. */
const STEPS = stepsOf(24);
const SMALL_DISK = 'room for 4 MB';
const again = (seed: number): string => againLine('full-disk-torture', seed, STEPS);

describeOn(SMALL_DISK, `on a disk with ${SMALL_DISK}`, () => {
  it.each(playedSeeds(1))('every byte comes back, or nothing is changed, seed %d', { timeout: 600_000 }, async (seed) => {
    announce(seed, again(seed));
    const random = seededRandom(seed);
    const disk = new SmallDisk(mounted(SMALL_DISK));
    const [inHome, inRepository] = [[false, true] as const, [true, false] as const, [true, true] as const][random(3)] as readonly [
      boolean,
      boolean,
    ];
    const home = inHome ? join(disk.place, 'home') : directory();
    const user = new Scratch(home, join(inRepository ? disk.place : directory(), 'repository'));
    for (const folder of [home, user.root]) mkdirSync(folder, { recursive: true });
    user.git('init', '--quiet', '--initial-branch=main');
    user.write('README.md', 'read me\n');
    user.commit('first');
    const tally = new Tally();
    const day = new (random(2) === 0 ? BytesDay : RewindDay)(user, random, tally, disk);
    try {
      for (let step = 0; step < STEPS; step++) await day.step();
      disk.free();
      await day.rewinds();
      expect(day.done.length).toBeGreaterThan(STEPS);
    } catch (error) {
      throw new Error([again(seed), ...day.done, error instanceof Error ? error.message : String(error)].join('\n'), { cause: error });
    } finally {
      tally.print(seed);
    }
  });
});
