import { SnapshotError } from '../../snapshot-error.ts'
import { isObject } from '../json-object.ts'
import { jsonIn } from '../parse-json.ts'
import { tableOf } from './grid.ts'
import type { Table } from './schema.ts'
import { plainText } from './text.ts'

/**
 * Boxes of prices that a page hands to its script as data and shows when a tab is chosen: the keys of the list of groups,
 * of a group's title and its models, and of a model's name, its prices and what they are for.
 */
export type Cards = {
  groups: string
  title: string
  models: string
  name: string
  prices: string
  /** What a price is for: under the first key beside the price, or under the second beside the model's name. */
  unit: [string, string]
  /** The keys of what a price is called, and of the price, a number of dollars. */
  labelled: [string, string][]
}

const PUSH = /self\.__next_f\.push\(\[1,"((?:[^"\\]|\\.)*)"\]\)/g
/** No price list is longer. */
const MAX_LIST_CHARACTERS = 1_000_000

/** Each box with prices as a table of one row: `Model`, `Unit`, and a column for each price. */
export function cardTables(html: string, cards: Cards): Table[] {
  const data = [...html.matchAll(PUSH)].map(([, text]) => jsonIn(`"${text}"`) ?? '').join('')
  const key = `"${cards.groups}":[`
  const tables: Table[] = []
  let end = 0
  for (let at = data.indexOf(key); at >= 0; at = data.indexOf(key, end)) {
    const list = listAt(data, at + key.length - 1)
    end = at + key.length + list.length
    const groups = jsonIn(list)
    if (!Array.isArray(groups)) throw new SnapshotError(`The page’s data has no list under “${cards.groups}”.`)
    tables.push(...groups.flatMap((group) => groupTables(group, cards)))
  }
  return tables
}

function groupTables(group: unknown, cards: Cards): Table[] {
  if (!isObject(group)) return []
  const title = textOf(group[cards.title])
  return objectsOf(group[cards.models]).flatMap((model) =>
    objectsOf(model[cards.prices]).map((price) => cardTable(title, model, price, cards)),
  )
}

type Card = { [key: string]: unknown }

function cardTable(title: string, model: Card, price: Card, { name, unit, labelled }: Cards): Table {
  const given = labelled.filter(([, amount]) => price[amount] !== undefined && price[amount] !== null)
  const [own, common] = unit
  const head = ['Model', 'Unit', ...given.map(([label]) => textOf(price[label]))]
  const row = [
    textOf(model[name]),
    textOf(price[own] ?? model[common]),
    ...given.map(([, amount]) => `$${textOf(price[amount])}`),
  ]
  return tableOf(title, [head, row])
}

const objectsOf = (value: unknown): Card[] => (Array.isArray(value) ? value.filter(isObject) : [])
/** A text that begins with a dollar sign is written with two of them. */
const textOf = (value: unknown): string =>
  typeof value === 'number' ? String(value) : typeof value === 'string' ? plainText(value.replace(/^\$\$/, '$')) : ''

/** The list that begins here, up to the bracket that ends it. */
function listAt(data: string, from: number): string {
  let [depth, inText] = [0, false]
  for (let at = from; at < data.length && at < from + MAX_LIST_CHARACTERS; at++) {
    const sign = data[at]
    if (inText && sign === '\\') at++
    else if (sign === '"') inText = !inText
    else if (!inText && (sign === '[' || sign === '{')) depth++
    else if (!inText && (sign === ']' || sign === '}') && --depth === 0) return data.slice(from, at + 1)
  }
  return ''
}
