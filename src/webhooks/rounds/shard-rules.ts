/** Workspaces are divided into this many slices by a hash of their ids (`delivery_by_slice`). A shard has some of them. */
const SLICES = 256

/** One of the parts of a round that workers share: the workspaces of every `of`th slice. */
export type Shard = { shard: number; of: number }

export const ALL: Shard = { shard: 0, of: 1 }

/** Returns the slices of a shard. */
export const slicesOf = ({ shard, of }: Shard): number[] =>
  Array.from({ length: SLICES }, (_, slice) => slice).filter((slice) => slice % of === shard)
