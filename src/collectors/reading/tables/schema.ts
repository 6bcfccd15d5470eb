/** One cell as people read it: without what is struck out, footnote marks and icons. */
export type Cell = {
  /** Lines of the cell are joined by a space. */
  text: string
  /** What is written as code, often an API id. */
  codes: string[]
  /** The texts of links, and where they lead. */
  links: { text: string; to: string }[]
  /** What buttons and icons are called, such as `Claude Opus 4.1 (Retired)`. */
  labels: string[]
  isHeading: boolean
}

/** A heading above a table. */
export type Heading = { level: number; text: string; codes: string[] }

/** A table with every cell in its place: a cell that spans several rows or columns stands in each of them. */
export type Table = {
  /** The headings above it, the outermost first. */
  headings: Heading[]
  /** The tabs and folds that it is in, the outermost first. */
  panes: string[]
  /** Texts and headings since the table before it. */
  before: string[]
  rows: Cell[][]
  headerRows: number
}

/** A page: its tables, and the texts around them. */
export type Page = {
  language?: string
  text: string
  /** The buttons that are pressed, boxes that are ticked and tabs that are open, as their elements say. */
  pressed: string[]
  tables: Table[]
}

/** Texts that head what follows although they are not heading elements, and their level; in small letters. */
export type Titles = { [text: string]: number }
