import type { Change } from './change-schema.ts'

/** Returns the row that readers see after a change, where its event says where that row was read. */
export function currentHash(change: Change): string | undefined {
  switch (change.kind) {
    case 'priceChanged':
    case 'lineAdded':
    case 'stepIntroduced':
      return change.row.contentHash
    case 'stepWithdrawn':
      return change.base.contentHash
    case 'withdrawn':
    case 'restored':
      return change.current?.contentHash
    default:
      return undefined
  }
}
