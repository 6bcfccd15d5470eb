/** The revision of an item that was shown first since it was opened. */
export type SeenRevision = { itemId: string; revision: string }
type Item = { id: string; revision: string }

/** Returns what was seen first of the open item: that of its details, once they are there. */
export function seenOf(
  seen: SeenRevision | undefined,
  item: Item | undefined,
  shown: string | undefined,
): SeenRevision | undefined {
  if (!item) return undefined
  if (seen?.itemId === item.id) return seen
  return shown === undefined ? undefined : { itemId: item.id, revision: shown }
}

/** Whether other details are shown than those that were seen first: a person who read these has not read those. */
export const hasChanged = (seen: SeenRevision | undefined, shown: string | undefined): boolean =>
  seen !== undefined && shown !== undefined && seen.revision !== shown
