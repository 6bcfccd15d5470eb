import { collectorFor } from '../index.ts'
import { textOf } from '../reading/json.ts'
import { parseJson } from '../reading/parse-json.ts'
import { SnapshotError } from '../snapshot-error.ts'
import type { Place, PlaceOfPrice } from './schema.ts'
import { jsonPlace, linePlace } from './text-place.ts'

export type PlaceInput = PlaceOfPrice & { bytes: Uint8Array; format: string }

/** Returns the place of a price in a snapshot; undefined where the snapshot has no such place any more. */
export function snapshotPlace({ bytes, format, ...wanted }: PlaceInput): Place | undefined {
  try {
    return placeOf(bytes, format, wanted)
  } catch (error) {
    if (error instanceof SnapshotError || error instanceof SyntaxError) return undefined
    throw error
  }
}

function placeOf(bytes: Uint8Array, format: string, wanted: PlaceOfPrice): Place | undefined {
  const { locator } = wanted
  const collector = collectorFor(format)
  if (collector?.place) return collector.place(bytes, wanted)
  const line = /^line (\d+)/.exec(locator)?.[1]
  if (line) return linePlace(textOf(bytes), Number(line))
  if (!locator.startsWith('/')) return undefined
  const found = jsonPlace(textOf(bytes), locator)
  if (!found) return undefined
  const { value, ...place } = found
  const statedBy = collector?.proofOf?.(parseJson(value))
  return { ...place, ...(statedBy && { statedBy }) }
}
