/** Always the same numbers from 0 to 1, so that whatever is compared meets the same. @param seed at least 1 */
export function numbers(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
