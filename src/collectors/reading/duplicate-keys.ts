import { SnapshotError } from '../collector.ts'
import { isObject, type JsonObject } from './json-object.ts'

/** A list by mistake has a key twice here and there; one with more is damaged. */
const MAX_DUPLICATES = 100
/** No list of prices nests deeper; what does could be read, and neither shown nor stored. */
const MAX_DEPTH = 200

/** A key that an object has twice, with its values as texts in their order. */
type Duplicate = { path: (string | number)[]; values: [string, string] }

/** An object (with the values of its keys) or an array (with its position) that is open. */
type Open = { keys?: Map<string, string>; step: string | number; valueFrom: number }

/** Strings and the characters that give JSON its structure; everything else is between them. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/**
 * Returns the keys that an object of a JSON text has twice with different values. `JSON.parse` takes the last value and
 * says nothing.
 */
export function duplicateKeys(text: string): Duplicate[] {
  const duplicates: Duplicate[] = []
  const open: Open[] = []
  let key: string | undefined
  function endValue(keys: Map<string, string>, name: string, value: string) {
    const before = keys.get(name)
    keys.set(name, value)
    if (before === undefined || before === value) return
    duplicates.push({ path: open.map(({ step }) => step), values: [before, value] })
    if (duplicates.length > MAX_DUPLICATES)
      throw new SnapshotError(`The answer has more than ${MAX_DUPLICATES} keys that stand twice: its JSON is damaged.`)
  }
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const frame = open.at(-1)
    if (open.length > MAX_DEPTH)
      throw new SnapshotError(`The answer has values nested more than ${MAX_DEPTH} deep: its JSON is damaged.`)
    if (token === '{') open.push({ keys: new Map(), step: '', valueFrom: -1 })
    else if (token === '[') open.push({ step: 0, valueFrom: -1 })
    else if (token === ':' && frame?.keys) {
      frame.step = key!.includes('\\') ? (JSON.parse(key!) as string) : key!.slice(1, -1)
      frame.valueFrom = index + 1
    } else if (token === ',' || token === '}' || token === ']') {
      if (frame?.keys && frame.valueFrom >= 0)
        endValue(frame.keys, String(frame.step), text.slice(frame.valueFrom, index).trim())
      if (frame) frame.valueFrom = -1
      if (token !== ',') open.pop()
      else if (typeof frame?.step === 'number') frame.step++
    } else key = token
  }
  return duplicates
}

/**
 * Puts both values of a key that stands twice into what `JSON.parse` made of the text. Two objects become one; where
 * they differ, a text says so, which no reader takes for a price.
 */
export function mergeDuplicates(value: unknown, text: string): unknown {
  // Outer keys first: two objects that become one keep the duplicates found inside them.
  const outerFirst = duplicateKeys(text).toSorted((a, b) => a.path.length - b.path.length)
  for (const { path, values } of outerFirst) {
    const [first, second] = values.map((item): unknown => JSON.parse(item))
    const parent = path.slice(0, -1).reduce<unknown>((at, step) => (at as JsonObject | undefined)?.[step], value)
    if (isObject(parent)) set(parent, String(path.at(-1)), merged(first, second))
  }
  return value
}

function merged(first: unknown, second: unknown): unknown {
  if (!isObject(first) || !isObject(second)) return bothValues(first, second)
  const both: JsonObject = { ...first, ...second }
  for (const key of Object.keys(first))
    if (key in second && JSON.stringify(first[key]) !== JSON.stringify(second[key]))
      set(both, key, merged(first[key], second[key]))
  return both
}

const MAX_SHOWN = 40
const shown = (value: unknown) => JSON.stringify(value).slice(0, MAX_SHOWN)
const bothValues = (first: unknown, second: unknown): string => `two values: ${shown(first)} and ${shown(second)}`

/** Sets a key as JSON has it: `__proto__` is a key like any other. */
const set = (object: JsonObject, key: string, value: unknown) =>
  Object.defineProperty(object, key, { value, enumerable: true, writable: true })
