import { DAY } from '../lib/instant.ts'

/** Specification, Limits. */
export const MAX_WEBHOOKS_PER_WORKSPACE = 20
export const MAX_FILTER_ENTRIES = 200
export const MAX_FILTER_ENTRY_CHARACTERS = 200
export const MAX_GROUPS_PER_WEBHOOK = 50
/** How long a rotated-out signing key keeps signing beside the new one. */
export const ROTATION_OVERLAP_MS = DAY

/** Ours, not the specification's: longer addresses are damage. */
export const MAX_URL_CHARACTERS = 2_048
/** Ours: keys that may sign one delivery at once, so that rotating again and again cannot swell its headers. */
export const MAX_SIGNING_KEYS = 5
/** Every provider, including ones added later. */
export const EVERY_PROVIDER = '*'
