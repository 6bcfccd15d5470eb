import type { PricingTier } from '../../../catalog/schema.ts'
import type { Cards } from '../tables/cards.ts'
import type { Titles } from '../tables/schema.ts'
import type { Per } from './per.ts'

/** What a column or a row prices; with what kind of content and unit it becomes a dimension. */
export type Kind =
  | 'input'
  | 'output'
  | 'cache_read'
  | 'cache_write'
  | 'citation'
  | 'reasoning'
  | 'search'
  | 'video_output'
  /** What is spoken: an hour of it, or the characters of its text. */
  | 'speech'

/** What stands under a heading. */
export type Meaning =
  | 'model'
  /** What the prices of the row are for: `1M tokens`. */
  | 'unit'
  /** Text, audio or image. */
  | 'modality'
  /** How many tokens a request has: `32K<Token≤128K`. */
  | 'context'
  | 'ignored'
  | TierColumn
  | PriceMeaning
  | Several

/** A cell that says the tier of its row, or of the prices of one kind in it. The heading above the table does not. */
export type TierColumn = { tiers: ByText<PricingTier>; of?: Kind }

/** What cells that hold several prices say: all of these in this order, or some, each followed by words of its own. */
export type Several = { inOrder: PriceMeaning[]; between: string } | { byWords: [RegExp, PriceMeaning][] }

export type PriceMeaning = {
  kind: Kind
  tier?: PricingTier
  content?: 'audio' | 'image' | 'video'
  per?: Per
  /** Where a row has no price of this kind without the tier, this one is the standard price. */
  alone?: true
}

export const isPriced = (meaning: Meaning | undefined): meaning is PriceMeaning =>
  typeof meaning === 'object' && 'kind' in meaning
export const isTierColumn = (meaning: Meaning | undefined): meaning is TierColumn =>
  typeof meaning === 'object' && 'tiers' in meaning
export const isSeveral = (meaning: Meaning | undefined): meaning is Several =>
  typeof meaning === 'object' && ('inOrder' in meaning || 'byWords' in meaning)

/** `input`, or with the tier of its column: `cache_write 1h`. */
export const labelOf = ({ kind, tier = {} }: PriceMeaning): string => [kind, ...Object.values(tier)].join(' ')

/** Texts in small letters with what they stand for, or patterns of which the first that fits counts. */
export type ByText<Value> = { [text: string]: Value } | [RegExp, Value][]

/** What a text stands for; undefined when it is unknown. */
export function standsFor<Value>(values: ByText<Value>, text: string): Value | undefined {
  if (Array.isArray(values)) return values.find(([pattern]) => pattern.test(text))?.[1]
  return Object.hasOwn(values, text) ? values[text] : undefined
}

/** Headings with their meaning; of headings above each other all, joined by ` / `. */
export type Meanings = ByText<Meaning>

/** Which tables a rule is for, by the headings and tabs above them, the first heading, and their columns. */
type When = {
  /** One of the headings above. */
  section?: RegExp
  /** No heading above may be like this. */
  outside?: RegExp
  /** Every one of them is a column. */
  columns?: RegExp[]
  /** No column is like this. */
  without?: RegExp
}

export type TableRule = {
  /** What messages call it. */
  name: string
  when: When
} & (
  | { ignored: string }
  | {
      meanings: Meanings
      /** What must have a column, as {@link labelOf} calls it: a lost column is not a removal. */
      needed: string[]
      /** What every model must have a price for. */
      priced?: string[]
      /** The page has at least one such table. */
      always?: true
      /** Models are columns, and rows mean something; or the heading above names the models of the table. */
      models?: 'columns' | 'heading'
      /** Where the heading names the models: the column that holds the prices. */
      prices?: string
      /** Tiers by a heading or tab above; the nearest known one counts. */
      tiers?: ByText<PricingTier>
      /** A table whose tier neither a heading nor a column says is refused. */
      placed?: true
      /** Tabs and folds that are not tiers: a table in another one is not read. */
      tabs?: RegExp
      /** What prices are for where neither the cell nor its column says so. */
      per?: Per
      /** What a text above the table, or its headings, must say when `per` is assumed. */
      says?: RegExp
      /** Of these a model has none or all. */
      together?: string[]
      /** What a cell says where the price is agreed upon with each customer. */
      onRequest?: RegExp
      /** A price or a note that cannot be read makes its lines unreadable, and a row without a model is left out;
       * otherwise each makes the page unreadable. */
      lenient?: true
    }
)
export type PriceRule = Extract<TableRule, { meanings: Meanings }>

/** How the cell of a model is read. */
export type ModelRule = {
  /** The name at the beginning of the cell or of a link in it. */
  name: RegExp
  /** Between several names of one cell. */
  separator?: string
  /** Notes behind the name that change nothing. */
  notes?: RegExp
  /** A row with this note is of a model that its maker no longer sells. */
  retired?: RegExp
  /** Notes that say of all prices of some kinds what they cost in another tier: half of them in a batch. */
  discounts?: { note: RegExp; kinds: Kind[]; tier: PricingTier; percent: number }[]
  /**
   * The name in the API, where the page shows another, from the name, where its link leads, and what stands beside it;
   * undefined for a name that no rule spells.
   */
  resource?: (name: string, link: string | undefined, beside: string) => string | undefined
}

/** Which prices of one model contradict each other. */
type Checks = {
  /** Each of these is the name of a model with a standard input price. */
  listed: RegExp[]
  /** At least this many models. */
  models: number
  /** The highest input price is between these, per million tokens: another unit shows itself. */
  highestInput: [number, number]
  /** Names for which the output may cost less than the input. */
  cheapOutput?: RegExp
}

/** A maker's page of prices: which tables, headings and names it has, and what must be true of them. */
export type PageDeclaration = {
  format: string
  parserVersion: number
  provider: string
  name: string
  /** Where the page is inside an answer in JSON. */
  inside?: string[]
  /** What the page says, whatever its prices are, and what an operator reads when it does not. */
  says: { [what: string]: RegExp }
  /** Texts that head what follows. */
  titles?: Titles
  /** Short lines before a table that are not titles; where `titles` are declared, any other short line is an unknown one. */
  plain?: RegExp
  /** Boxes of prices that the page hands to its script. */
  cards?: Cards
  /** Prices in sentences, a line each: a table under this heading, with a column for each group of the pattern. */
  sentences?: { heading: string; pattern: RegExp }
  /** The buttons that may be pressed: other ones show other prices. */
  pressed?: RegExp
  tables: TableRule[]
  model: ModelRule
  checks: Checks
}
