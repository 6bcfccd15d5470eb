import { SnapshotError } from '../collector.ts'
import { mergeDuplicates } from './duplicate-keys.ts'
import { parseJson } from './parse-json.ts'

/** Where a value is: keys of objects and positions in arrays. */
export type Path = (string | number)[]

type JsonEntriesOptions = {
  /** Whether the entries of the container at this path are read one by one; other values are read whole. */
  isOpened: (path: Path) => boolean
  onEntry: (path: Path, value: unknown) => void
}

type Open = { isArray: boolean; step: string | number; count: number }
/** What may come next in the innermost open container. */
type ExpectedToken = 'value' | 'first' | 'key' | 'colon' | 'next' | 'end'

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Reads a JSON text part by part, however large it is: the entries of its large containers one by one. It finds where an
 * entry ends; JSON.parse reads the entry.
 */
export class JsonEntries {
  private readonly open: Open[] = []
  private readonly given: JsonEntriesOptions
  private expected: ExpectedToken = 'value'
  private rest = ''
  private at = 0
  /** Of an entry that began: where, how many brackets are open, whether a text is. */
  private from = -1
  private depth = 0
  private inText = false

  constructor(given: JsonEntriesOptions) {
    this.given = given
  }

  push(text: string): void {
    const keep = this.from >= 0 ? this.from : this.at
    this.rest = this.rest.slice(keep) + text
    this.at -= keep
    if (this.from >= 0) this.from = 0
    while (this.at < this.rest.length) {
      if (this.from >= 0) {
        if (!this.skipEntry()) return
      } else this.structure()
    }
  }

  /** Returns whether the text is complete. */
  end(): boolean {
    if (this.from >= 0 && this.open.length === 0 && !this.inText && this.depth === 0) this.entry(this.rest.length)
    return this.expected === 'end'
  }

  private structure(): void {
    const code = this.rest.charCodeAt(this.at)
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xfeff) {
      this.at++
      return
    }
    const frame = this.open.at(-1)
    if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      const mayEnd = this.expected === 'next' || this.expected === 'first'
      if (!frame || !mayEnd || frame.isArray !== (code === CLOSE_ARRAY)) throw this.broken()
      this.open.pop()
      this.expected = this.open.length > 0 ? 'next' : 'end'
      this.at++
    } else if (code === COMMA) {
      if (this.expected !== 'next' || !frame) throw this.broken()
      this.expected = frame.isArray ? 'value' : 'key'
      this.at++
    } else if (code === COLON) {
      if (this.expected !== 'colon') throw this.broken()
      this.expected = 'value'
      this.at++
    } else if (this.expected === 'end' || this.expected === 'next' || this.expected === 'colon') throw this.broken()
    else this.begin(code, frame)
  }

  /** A key or a value begins. */
  private begin(code: number, frame: Open | undefined): void {
    const isKey = frame !== undefined && !frame.isArray && this.expected !== 'value'
    if (isKey && code !== QUOTE) throw this.broken()
    if (!isKey && frame?.isArray) frame.step = frame.count++
    const isContainer = code === OPEN_ARRAY || code === OPEN_OBJECT
    if (!isKey && isContainer && this.given.isOpened(this.path())) {
      this.open.push({ isArray: code === OPEN_ARRAY, step: '', count: 0 })
      this.expected = 'first'
      this.at++
      return
    }
    this.expected = isKey ? 'key' : 'value'
    this.from = this.at
    this.depth = 0
    this.inText = false
  }

  /** Goes to the end of an entry. Returns false where the text ends before it. */
  private skipEntry(): boolean {
    const { rest } = this
    for (let at = this.at; at < rest.length; at++) {
      const code = rest.charCodeAt(at)
      if (this.inText) {
        if (code === BACKSLASH) at++
        else if (code === QUOTE) {
          this.inText = false
          if (this.depth === 0) return this.entry(at + 1)
        }
      } else if (code === QUOTE) this.inText = true
      else if (code === OPEN_OBJECT || code === OPEN_ARRAY) this.depth++
      else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        if (this.depth === 0) return this.entry(at)
        if (--this.depth === 0) return this.entry(at + 1)
      } else if (this.depth === 0 && (code === COMMA || code <= 0x20)) return this.entry(at)
      this.at = at + 1
    }
    // A backslash at the end of a part takes the next part's first character with it.
    this.at = rest.length
    if (this.inText && endsInEscape(rest, this.from)) this.at = rest.length - 1
    return false
  }

  private entry(end: number): true {
    const text = this.rest.slice(this.from, end)
    const value = this.parse(text)
    this.from = -1
    this.at = end
    const frame = this.open.at(-1)
    if (this.expected === 'key' && frame) {
      frame.step = value as string
      this.expected = 'colon'
      return true
    }
    this.expected = frame ? 'next' : 'end'
    this.given.onEntry(this.path(), mergeDuplicates(value, text))
    return true
  }

  private path(): Path {
    return this.open.map(({ step }) => step)
  }

  private parse(text: string): unknown {
    try {
      return parseJson(text)
    } catch (error) {
      if (/(^|[[{,:]\s*)(NaN|-?Infinity)\b/.test(text))
        throw new SnapshotError('The answer holds NaN or Infinity, which is not JSON and not a price.')
      throw this.broken(error instanceof Error ? error.message.slice(0, 120) : String(error))
    }
  }

  private broken(why = `unexpected ${JSON.stringify(this.rest.slice(this.at, this.at + 20))}`): SnapshotError {
    const where = this.path().join('/')
    return new SnapshotError(`The answer is not JSON: ${why} in /${where}.`)
  }
}

/** Whether a text ends with a backslash that escapes what follows. */
function endsInEscape(text: string, from: number): boolean {
  let backslashes = 0
  for (let at = text.length - 1; at > from && text.charCodeAt(at) === BACKSLASH; at--) backslashes++
  return backslashes % 2 === 1
}
