import { DAY } from '../lib/instant.ts'

/** Specification, Limits. */
export const MAX_FILTER_ENTRIES = 200
export const MAX_FILTER_ENTRY_CHARACTERS = 200
export const MAX_GROUPS_PER_WEBHOOK = 50
/** How long the signing key that a rotation replaces keeps signing beside the new one. */
export const ROTATION_OVERLAP_MS = DAY
/** Keys that sign one delivery: the newest, and for {@link ROTATION_OVERLAP_MS} the one before it. */
export const MAX_SIGNING_KEYS = 2

/** Every provider, including ones added later. */
export const EVERY_PROVIDER = '*'

/** The largest threshold for price changes, in per cent. */
export const MAX_MIN_CHANGE = 1_000
