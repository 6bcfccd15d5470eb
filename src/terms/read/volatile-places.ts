import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { sourceOfDocument } from '../store/document-store.ts'
import { volatilityOf } from '../store/volatility-store.ts'

/** A place of a document that is not compared, because its text differs at nearly every fetch. */
export type VolatilePlace = { volatileSince: Instant; texts: string[] }

/** Returns the volatile places of a document with the texts last seen there, the newest last. */
export async function storedPlaces(db: Db, provider: string, document: string): Promise<VolatilePlace[]> {
  const source = await sourceOfDocument(db, provider, document)
  return source ? placesOfSource(db, source) : []
}

/** Returns the volatile places of the document that a source declares. */
export async function placesOfSource(db: Db, source: string): Promise<VolatilePlace[]> {
  const { places } = await volatilityOf(db, source)
  return places
    .filter(({ volatileSince }) => volatileSince !== undefined)
    .map(({ volatileSince, texts }) => ({
      volatileSince: volatileSince as Instant,
      texts: texts.map(({ excerpt }) => excerpt.replaceAll('\n', ' ')),
    }))
}
