import type { Db, Tx } from '../../lib/sql.ts'
import type { Tile, TileName } from './tile-rules.ts'

type Row = { level: number; tile: string; hashes: Buffer }
const tileOf = ({ tile, ...row }: Row): Tile => ({ ...row, tile: Number(tile) })

/** Returns these tiles; those that are not there are left out. */
export async function readTiles(db: Db, names: TileName[]): Promise<Tile[]> {
  if (names.length === 0) return []
  const rows = await db<Row[]>`
    select t.level, t.tile, t.hashes
    from unnest(${names.map(({ level }) => level)}::smallint[], ${names.map(({ tile }) => tile)}::bigint[])
      as n (level, tile)
    join log_tile t on (t.level, t.tile) = (n.level, n.tile)`
  return rows.map(tileOf)
}

/** Writes tiles; one that is there goes on with more hashes. */
export async function writeTiles(tx: Tx, tiles: Tile[]): Promise<void> {
  if (tiles.length === 0) return
  await tx`
    insert into log_tile ${tx(tiles, 'level', 'tile', 'hashes')}
    on conflict (level, tile) do update set hashes = excluded.hashes`
}

/** The leaves of one tile. */
export type Entries = { tile: number; afterSeq: number; entries: Buffer }

/** Returns the leaves of a tile. */
export async function readEntries(db: Db, tile: number): Promise<Entries | undefined> {
  return (await entriesBetween(db, tile, tile))[0]
}

/** Returns the leaves of these tiles that are there, in order. */
export async function entriesBetween(db: Db, first: number, last: number): Promise<Entries[]> {
  const rows = await db<{ tile: string; afterSeq: string; entries: Buffer }[]>`
    select tile, after_seq as "afterSeq", entries from log_entries where tile between ${first} and ${last} order by tile`
  return rows.map(({ tile, afterSeq, entries }) => ({ tile: Number(tile), afterSeq: Number(afterSeq), entries }))
}

export async function writeEntries(tx: Tx, written: Entries[]): Promise<void> {
  if (written.length === 0) return
  await tx`
    insert into log_entries ${tx(
      written.map(({ tile, afterSeq, entries }) => ({ tile, after_seq: afterSeq, entries })),
      'tile',
      'after_seq',
      'entries',
    )}
    on conflict (tile) do update set entries = excluded.entries`
}

/** Returns the tiles of a level, in order, from one on. */
export async function tilesFrom(db: Db, level: number, first: number, most: number): Promise<Tile[]> {
  const rows = await db<Row[]>`
    select level, tile, hashes from log_tile where level = ${level} and tile >= ${first} order by tile limit ${most}`
  return rows.map(tileOf)
}
