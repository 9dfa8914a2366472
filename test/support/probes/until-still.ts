import { eventually } from './eventually.js';

/** How often a number is the same, each time after a pause, before it is taken to stay so. */
const SAME = 4;

/** Resolves with a number that changes no more, as what a sender has sent whose reader does not read. */
export async function untilStill(what: string, read: () => number): Promise<number> {
  let [last, same] = [read(), 0];
  await eventually(`${what} stays the same`, 60, () => {
    const now = read();
    same = now === last ? same + 1 : 0;
    last = now;
    return same >= SAME;
  });
  return last;
}
