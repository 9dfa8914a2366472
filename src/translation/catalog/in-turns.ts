/** Items that are completed at once, which takes about a millisecond. */
const AT_ONCE = 250;

/**
 * A long list for the graph, which completes all items of a list at once unless they are promises: others have their turn
 * before it, and after every 250 of its items.
 * @param nextTurn resolves when others have had their turn; must not reject
 */
export async function inTurns<Item>(
  items: readonly Item[],
  nextTurn: () => Promise<void>,
): Promise<readonly Promise<Item>[]> {
  let turn = items.length > 1 ? nextTurn() : Promise.resolve();
  await turn;
  return items.map((item, index) => {
    if (index > 0 && index % AT_ONCE === 0) turn = nextTurn();
    return turn.then(() => item);
  });
}
