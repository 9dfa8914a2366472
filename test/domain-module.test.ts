import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { DomainList } from '../src/domain-module.js';
import type { DomainModule, DomainParts } from '../src/domain-module.js';

interface Clock {
  readonly now: () => number;
}

const shape = z.object({ CLOCK_SPEED: z.string().default('fast') });

function domain<Needs, Ports extends object>(name: string): DomainModule<typeof shape, Needs, Ports> {
  const create = async (): Promise<DomainParts<Ports>> => ({ resolvers: [], references: [], ports: {} as Ports });
  return { name, config: shape, entities: [], migrations: [], create };
}

// What the compiler must refuse is proved by `npm run types`: an expected error that does not come is one.
test('domains are listed in the order in which they need each other', () => {
  const clock = domain<object, { readonly clock: Clock }>('clock');
  const calendar = domain<{ readonly clock: Clock }, object>('calendar');
  const otherClock = domain<object, { readonly clock: Clock }>('other-clock');

  // @ts-expect-error -- nobody before it gives a clock
  new DomainList().add(calendar);
  // @ts-expect-error -- the clock comes too late
  new DomainList().add(calendar).add(clock);
  // @ts-expect-error -- there is a clock already
  new DomainList().add(clock).add(otherClock);

  const list = new DomainList().add(clock).add(calendar);
  const setting: (typeof list)['types']['config']['clockSpeed'] = 'slow';
  expect(setting).toBe('slow');
  expect(list.modules.map(({ name }) => name)).toEqual(['clock', 'calendar']);
});
