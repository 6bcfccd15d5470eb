import { isObject } from '../json-object.ts'

/** What a component is given: larger than that is not a table. */
const MAX_CHARACTERS = 1_000_000
const MAX_DEPTH = 40

/**
 * The rows of a table that a page gives to a component as JSON and does not render, with their headings first: Astro's
 * `props`, with `headings` beside `rows`, or beside `groups` of them. Undefined for anything else: rows without headings
 * are not read, because nothing says what they mean.
 */
export function islandRows(props: string | undefined): string[][] | undefined {
  if (!props || props.length > MAX_CHARACTERS) return undefined
  const data = decoded(json(props), 0)
  if (!isObject(data)) return undefined
  const headings = listOf(data.headings)?.map(textOf)
  if (!headings || headings.length === 0) return undefined
  const rows = Array.isArray(data.groups) ? data.groups.flatMap(groupRows) : (listOf(data.rows) ?? []).map(rowOf)
  if (rows.length === 0 || !rows.every((row): row is string[] => row?.length === headings.length)) return undefined
  return [headings, ...rows]
}

/** Rows of a group begin with its name. */
function groupRows(group: unknown): (string[] | undefined)[] {
  if (!isObject(group)) return [undefined]
  const name = textOf(group.model ?? group.name)
  return (listOf(group.rows) ?? [undefined]).map((row) => rowOf(row) && [name, ...rowOf(row)!])
}

const listOf = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined)
const rowOf = (row: unknown): string[] | undefined => listOf(row)?.map(textOf)
/** A number stands for dollars, as the component shows it. */
const textOf = (value: unknown): string =>
  typeof value === 'number' ? `$${value}` : typeof value === 'string' ? value : ''

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Astro writes `[0, value]` for a value or an object and `[1, list]` for a list. */
function decoded(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return undefined
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, tagged(item, depth)]))
  return value
}

function tagged(item: unknown, depth: number): unknown {
  if (!Array.isArray(item) || item.length !== 2) return undefined
  const [tag, value] = item as [unknown, unknown]
  if (tag === 1) return Array.isArray(value) ? value.map((part) => tagged(part, depth + 1)) : undefined
  return tag === 0 ? decoded(value, depth + 1) : undefined
}
