import type { QueueItem } from './schema.ts'

export const SHARES_PRICES =
  'It shares prices with another of these items, and the prices of a resource are decided together. What is left of it waits.'

/** Whether an item is about prices that other items of a batch decide. `decided` are the content hashes of theirs. */
export const sharesPrices = ({ rows }: Pick<QueueItem, 'rows'>, decided: ReadonlySet<string>): boolean =>
  rows.some((contentHash) => decided.has(contentHash))
