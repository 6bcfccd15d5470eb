import { z } from 'zod'
import { HOUR } from '../../lib/instant.ts'

/** So many texts in a row that went before they were confirmed make a place of a document volatile. */
export const TRANSIENT_TEXTS = 3
/** A place whose text has stayed for this many confirmation delays, and at least for this long, is compared again. */
export const FORGET_DELAYS = 2
export const FORGET_FETCHES = 4
/** A place that was watched and did not become volatile is forgotten when its text has stayed for this long. */
export const WATCH_MS = 14 * 24 * HOUR

/** Most places of one document, the longest text of one, and the largest share of a document's words left out. */
export const MAX_PLACES = 40
export const MAX_PLACE_UNITS = 40
export const MAX_PLACE_WORDS = 300
export const MAX_LEFT_OUT_SHARE = 0.5
/** Texts of a place that are remembered. */
export const REMEMBERED_TEXTS = 6
/** The longest place has about so many characters: what stays in a new passage is known from its excerpts. */
export const EXCERPT_CHARACTERS = 2_000

const units = z.array(z.string())

const placeText = z.object({
  /** Keys of its units, shortened. */
  keys: units,
  excerpt: z.string(),
  since: z.string(),
  /** When it was there last, if it was fetched more than once. */
  lastAt: z.string().optional(),
  fetches: z.number().int(),
})
export type PlaceText = z.infer<typeof placeText>

const neighbours = z.object({ before: z.string(), after: z.string() })
export type Neighbours = z.infer<typeof neighbours>

/** A place in a document whose text changed lately; volatile when it changes at nearly every fetch. */
const place = z.object({
  /** Ids of the units that the text in force has there. */
  inForce: units,
  /** The units beside it, in the text in force and in the newest fetch. */
  around: neighbours,
  aroundLatest: neighbours,
  /** What was fetched there, the newest last. */
  texts: z.array(placeText),
  /** Texts in a row that went before they were confirmed. */
  transient: z.number().int(),
  volatileSince: z.string().optional(),
  /** Whether texts that went came back: what is there is drawn from a pool. */
  isPool: z.boolean().optional(),
})
export type Place = z.infer<typeof place>

/** What the fetches of one document taught about it. */
export const volatility = z.object({ places: z.array(place) })
export type Volatility = z.infer<typeof volatility>
