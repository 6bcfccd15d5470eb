import type { Proof } from '../../prices/schema.ts'

/** Which price is looked up in a snapshot. */
export type PlaceOfPrice = {
  locator: string
  /** Tells apart what has the same place; absent where it is not known. */
  price?: string
}

/** Where a snapshot has a price, with what stands around it, as it was. */
export type Place = {
  /** A part of the snapshot, unchanged; `…` stands where it was cut. Of a table, its cells. */
  text: string
  /** Which part of the text the price was read from: its first character, and the one behind its last. */
  mark?: [number, number]
  /** What a page shows as a table. */
  table?: PlaceTable
  /** Where the list says that it read the price itself. */
  statedBy?: Proof
}

type PlaceTable = {
  /** The headings and tabs above it, the outermost first. */
  under: string[]
  /** Its headings, and the row of the price between its neighbours. */
  rows: string[][]
  headerRows: number
  /** The row and the column of the price among `rows`. */
  at?: [number, number]
}
