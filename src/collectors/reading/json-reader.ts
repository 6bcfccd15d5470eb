import { SnapshotError, type SnapshotReader } from '../collector.ts'
import { JsonEntries, type Path } from './json-entries.ts'
import { textReader } from './streaming.ts'

type JsonReaderOptions = {
  /** Whether the entries of the container at this path are read one by one; other values are read whole. */
  isOpened: (path: Path) => boolean
  onEntry: (path: Path, value: unknown) => void
  onEnd: () => void
}

/** Reads a snapshot as JSON, part by part. It tells an HTML page, a cut-off answer and other damage apart. */
export function jsonReader({ onEnd, ...given }: JsonReaderOptions): SnapshotReader {
  const entries = new JsonEntries(given)
  let begin: string | undefined = ''
  let size = 0
  const text = textReader(
    (part) => {
      if (begin !== undefined) begin = beginningOf(begin + part)
      entries.push(part)
    },
    () => {
      if (begin?.trim() === '') throw new SnapshotError('The answer is empty; a list of prices was expected.')
      if (!entries.end()) throw new SnapshotError(`The answer is cut off after ${size} bytes: its JSON does not end.`)
      onEnd()
    },
  )
  return {
    push(bytes) {
      size += bytes.length
      text.push(bytes)
    },
    end: text.end,
  }
}

/** Returns the beginning of a text while it does not say yet what it is. */
function beginningOf(text: string): string | undefined {
  if (/^\s*<(!doctype|html|\?xml|head|body)/i.test(text))
    throw new SnapshotError('The answer is a web page, not JSON: the address may have moved or ask for a sign-in.')
  return text.trim() === '' ? text : undefined
}
