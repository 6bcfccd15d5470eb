import type { ParserResult, PriceCollector, ReadContext, SnapshotReader } from '../collector.ts'
import { Decoding } from './decoding.ts'
import { type Observations, startObservations } from './observations.ts'

type Streaming = Omit<PriceCollector, 'parse' | 'read'> & {
  read: (observations: Observations, context: ReadContext) => SnapshotReader
}

/** A format of which a list may be larger than memory: it is read part by part. */
export const streaming = (format: Streaming): PriceCollector => ({
  ...format,
  parse(bytes, context): ParserResult {
    const observations = startObservations()
    const reader = format.read(observations, context)
    reader.push(bytes)
    reader.end()
    return observations.done()
  },
})

/** Decodes the parts of a text: UTF-8, or UTF-16 when its byte order mark says so. The mark is not part of it. */
export function textReader(onText: (text: string) => void, onEnd: () => void): SnapshotReader {
  let decoding: Decoding | undefined
  const take = (text: string) => {
    if (text !== '') onText(text)
  }
  return {
    push(bytes) {
      decoding ??= new Decoding(bytes)
      take(decoding.read(bytes))
    },
    end() {
      take(decoding?.read() ?? '')
      onEnd()
    },
  }
}
