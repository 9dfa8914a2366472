/** The growth that time in proportion to the input stays below: it is about 10, that of time in square is 100. */
export const IN_PROPORTION = 30;
/** What is faster than this is taken to be as slow: below it, a collection of garbage is longer than what is measured. */
const FLOOR_MS = 5;
const TRIES = 5;

/**
 * How many times the processor time of an input a computation takes for one ten times as large. Both are measured on
 * the same machine at the same time, so that neither its speed nor its other work changes much. The least of some tries
 * counts, since garbage is collected at any time.
 * @param size of the larger input
 * @param inputOf makes an input of a size, which is not measured
 */
export async function cpuGrowth<Input>(
  size: number,
  inputOf: (size: number) => Input,
  compute: (input: Input) => unknown,
): Promise<number> {
  const [small, large] = [inputOf(Math.ceil(size / 10)), inputOf(size)];
  let [ofSmall, ofLarge, growth] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < TRIES && growth >= IN_PROPORTION; tries += 1) {
    // The large one first: it is long enough for the code to be compiled, which a busy machine is late with.
    ofLarge = Math.min(ofLarge, await cpuMilliseconds(compute, large));
    ofSmall = Math.min(ofSmall, await cpuMilliseconds(compute, small));
    growth = ofLarge / Math.max(ofSmall, FLOOR_MS);
  }
  return growth;
}

async function cpuMilliseconds<Input>(compute: (input: Input) => unknown, input: Input): Promise<number> {
  // Of this thread alone: others compile and collect meanwhile, or do what tests before have left.
  const before = process.threadCpuUsage();
  await compute(input);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
