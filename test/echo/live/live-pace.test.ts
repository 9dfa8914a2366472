import { expect, it } from '@jest/globals';
import { LivePace } from '../../../src/echo/live/live-pace.js';

it('lets a minute come at once, and then ten times what is spoken', async () => {
  const clock = new SetClock();
  const pace = new LivePace(clock);

  for (let second = 0; second < 60; second += 1) await pace.take(1);
  expect(clock.waited).toBe(0);
  for (let second = 0; second < 100; second += 1) await pace.take(1);

  expect(clock.waited).toBeCloseTo(10, 5);
});

it('never lets whoever sends what is spoken wait', async () => {
  const clock = new SetClock();
  const pace = new LivePace(clock);

  for (let second = 0; second < 1_000; second += 1) {
    await pace.take(1);
    clock.time += 1;
  }

  expect(clock.waited).toBe(0);
});

it('lets no more come at once for a client that was silent for long', async () => {
  const clock = new SetClock();
  const pace = new LivePace(clock);
  clock.time += 10_000;

  await pace.take(70);

  expect(clock.waited).toBeCloseTo(1, 5);
});

class SetClock {
  time = 0;
  waited = 0;

  now(): number {
    return this.time;
  }

  async wait(seconds: number): Promise<void> {
    this.waited += seconds;
    this.time += seconds;
  }
}
