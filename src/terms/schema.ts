import { z } from 'zod'
import { slug } from '../catalog/schema.ts'
import type { Significance } from '../events/schema.ts'
import { DAY, HOUR, type Instant } from '../lib/instant.ts'

/** The source format legal documents are declared with. */
export const DOCUMENT_FORMAT = 'document'

/** Legal documents are requested at most this often, unless a declaration says otherwise. */
export const DOCUMENT_INTERVAL_MS = 6 * HOUR
/** How long a new text has to stay before it is confirmed: 17 % of the recorded modifications were gone within a day. */
export const CONFIRMATION_MS = DAY
/**
 * How long an earlier text that comes back has to stay, or one for another region; four times as long after every return that
 * was published.
 */
export const RETURN_DELAY_MS = 14 * DAY
export const MAX_RETURN_DELAY_MS = 30 * DAY
/** How long a text has to stay that goes back to an earlier one and says something new, or that subscribers know. */
export const KNOWN_RETURN_DELAY_MS = 3 * DAY
/** A held text that no one reviewed and that stayed this long, since it was first seen, is the provider's text. */
export const REVIEW_EXPIRES_MS = 3 * DAY
/** What looks like an error page and stays this long waits for a review; only a person can publish it. */
export const QUARANTINE_REVIEW_MS = 3 * DAY
/** How the reason begins where the selectors of a document find nothing: it is held at once. */
export const SELECTORS_FAIL = 'none of its selectors finds anything'
/** Why a page is not a document that gives another address as its own, and that other documents show too. */
export const ANOTHER_PAGE = 'another page of the site'
/** How the reason of such a hold begins. */
export const LOOKS_LIKE = 'looks like: '

const selectors = z.array(z.string().min(1).max(300)).max(50)

/** `options` of a source whose format is `document`. */
export const documentOptions = z.object({
  provider: slug,
  /** The provider's name as shown, where nothing else declares the provider. */
  providerName: z.string().optional(),
  /** The document's slug within its provider: what a webhook's document filter names. */
  document: slug,
  title: z.string().min(1).max(200),
  /** CSS selectors of what is kept (first that matches enough text) and cut out, before conversion. */
  select: selectors.default([]),
  remove: selectors.default([]),
  /** Seconds a new text has to stay; the default follows from the interval. */
  confirmSeconds: z.number().int().min(0).optional(),
  /** Render in a browser before reading; needs Chromium and is off unless the installation allows it. */
  browser: z.boolean().default(false),
})
export type DocumentOptions = z.infer<typeof documentOptions>

/** What is kept of a page, and what is cut out of it. */
export type Selectors = Pick<DocumentOptions, 'select' | 'remove'>

/** What is extracted from the bytes of one document. */
export type ExtractedText = {
  kind: 'html' | 'markdown' | 'text' | 'pdf'
  markdown: string
  /** The selectors that found nothing, where the container of the page was read in their place. */
  notFound?: string
  /** What the page says of itself before its text is looked at: `login form`, `needs a browser`, `captcha` … */
  signals: string[]
  /** The address that the page gives as its own. */
  canonical?: string
}

/** How a text ends that was removed before it was confirmed. */
export const GONE_AGAIN = 'gone again'
export const REPLACED = 'replaced before it was confirmed'

const CLASSIFICATIONS = ['cosmetic', 'dates', 'minor', 'substantive'] as const
export type Classification = (typeof CLASSIFICATIONS)[number]

/** Words added or removed up to which a change is minor. */
export const MINOR_WORDS = 5
/** Share of the earlier text's words below and above which the size of a text is unusual. */
export const SIZE_BELOW = 0.5
export const SIZE_ABOVE = 2
/** A text with a smaller share of the earlier one has collapsed, unless it is later by its date or still recognized. */
export const TEXT_KEPT = 0.5
/** With this share, and not much shorter, a text is the earlier one rewritten: of nine that were held, five, all of them real. */
export const TEXT_RECOGNIZED = 0.2
/** Where the selectors find nothing, the container of the page is the document when it has this share of the text in force. */
export const FALLBACK_KEPT = 0.8

/** What may be unusual about a text. It is shown; the first two hold it. */
export const DOUBTS = {
  language: 'another language',
  collapse: 'most of the text is missing',
  lostPart: 'a large part is missing',
  shorter: 'less than half the size',
  longer: 'more than twice the size',
  rewritten: 'less than half of the text is kept',
  older: 'an earlier date',
  region: 'another region',
  fallback: 'its selectors find nothing',
} as const
/** How many words of a change a rule of the normal form explained. */
export type ExplainedWords = { rule: string; words: number }

/** Doubts that hold a text, for {@link REVIEW_EXPIRES_MS}. */
export const HOLDING: readonly string[] = [DOUBTS.language, DOUBTS.collapse]
/** Doubts of a text that is written for other readers: when it is gone again, that is no news. */
export const FOR_OTHERS: readonly string[] = [DOUBTS.language, DOUBTS.region]

/**
 * What came of a fetched document. `quarantined` is not a document (the reason belongs in the source's status); `waiting`
 * is to be fetched again at `recheckAt` if that is sooner than the interval; `gone` names a text that was removed or
 * replaced before it was confirmed.
 */
export type DocumentReport = {
  outcome: 'first' | 'unchanged' | 'waiting' | 'published' | 'cosmetic' | 'held' | 'quarantined'
  reason?: string
  classification?: Classification
  significance?: Significance
  versionId?: string
  eventId?: string
  recheckAt?: Instant
  gone?: { versionId: string; status: 'candidate' | 'held' }
  /** Whether only a part of what the text says was published, and the text that waits with the rest. */
  isPart?: true
  waits?: string
}

export type KnownVersion = {
  versionId: string
  status: string
  normalHash: string
  firstSeenAt: Instant
  recordedAt?: Instant
  /** Whether an earlier text came back with it. */
  returns?: boolean
  /** Whether subscribers were notified of it: it made an event, or it is the first. */
  announced?: boolean
  /** Why it was held, or how it ended. */
  reasons: string[]
}
export type OpenVersion = {
  versionId: string
  status: 'candidate' | 'held'
  normalHash: string
  firstSeenAt: Instant
  heldAt?: Instant
  /** The text with which a change came of which a part lasts in this one. */
  lastsSince?: string
  /** Since when texts in this place have needed a review for the same reason. */
  doubtSince?: Instant
  reasons: string[]
}

/** What is known of a document when a text arrives. `known` holds its versions, oldest first. */
export type DocumentState = {
  current?: KnownVersion
  open?: OpenVersion
  known: KnownVersion[]
  returnsPublished: number
}
