/** Does steps to their end at once, where nobody waits for a turn, as in a child process. @throws what a step throws */
export function runSteps<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
