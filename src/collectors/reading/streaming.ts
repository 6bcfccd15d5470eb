import type { PriceCollector, PricesRead, ReadContext, SnapshotReader } from '../collector.ts'
import { type Observations, startObservations } from './observations.ts'

type Streaming = Omit<PriceCollector, 'parse' | 'read'> & {
  read: (observations: Observations, context: ReadContext) => SnapshotReader
}

/** A format of which a list may be larger than memory: it is read part by part. */
export const streaming = (format: Streaming): PriceCollector => ({
  ...format,
  parse(bytes, context): PricesRead {
    const observations = startObservations()
    const reader = format.read(observations, context)
    reader.push(bytes)
    reader.end()
    return observations.done()
  },
})

/** Decodes the parts of a text: UTF-8, or UTF-16 when its byte order mark says so. The mark is not part of it. */
export function textReader(onText: (text: string) => void, onEnd: () => void): SnapshotReader {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  const take = (text: string) => {
    if (text !== '') onText(text)
  }
  return {
    push(bytes) {
      decoder ??= new TextDecoder(encodingOf(bytes))
      take(decoder.decode(bytes, { stream: true }))
    },
    end() {
      take(decoder?.decode() ?? '')
      onEnd()
    },
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
