/** The item that is open, and where in the list it is, or was before it left the list. */
export type Open<Item> = { item: Item; index: number }
type ItemReference = { id: string }

/**
 * Returns what is open in a list that may have changed: the same item at its place of now, also when it left the list.
 * A key decides what is read, so another item opens only when a person opens it, or where none was open.
 */
export function openIn<Item extends ItemReference>(
  items: Item[],
  open: Open<Item> | undefined,
): Open<Item> | undefined {
  const index = open ? items.findIndex(({ id }) => id === open.item.id) : 0
  const item = items[index]
  if (!item) return open
  return open?.item === item && open.index === index ? open : { item, index }
}

/** Returns the item this many places further on; from one that left the list, those that were around it. */
export function itemBeside<Item extends ItemReference>(items: Item[], open: Open<Item>, by: number): Item | undefined {
  const isListed = items[open.index]?.id === open.item.id
  const index = open.index + (isListed || by < 0 ? by : by - 1)
  return items[Math.min(Math.max(index, 0), items.length - 1)]
}

/** Returns the item that follows when some are decided: the open one, or the next that is left. */
export function itemAfter<Item extends ItemReference>(
  items: Item[],
  open: Open<Item>,
  decided: ItemReference[],
): Item | undefined {
  const isLeft = ({ id }: ItemReference) => decided.every((item) => item.id !== id)
  if (isLeft(open.item)) return open.item
  return items.slice(open.index).find(isLeft) ?? items.find(isLeft)
}
