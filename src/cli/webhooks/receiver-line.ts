/** What the receiver saw, one of these per request. */
export type ReceivedRequest = {
  at: string
  outcome: 'accepted' | 'duplicate' | 'refused'
  id?: string
  type?: string
  bytes: number
  why?: string
  event?: unknown
}

type EventFields = Record<string, unknown> & {
  previous?: { price?: unknown }
  current?: { price?: unknown }
  pricingTier?: Record<string, string>
  lines?: unknown[]
  announced?: { price?: unknown; effectiveFrom?: unknown }
  replaces?: { price?: unknown; effectiveFrom?: unknown }
  action?: unknown
}

const MARKS = { accepted: '✓', duplicate: '=', refused: '✗' }

/**
 * One request as a line for people:
 * `10:15:00 ✓ price.changed.openai  gpt-5 input_tokens  0.00000125 → 0.000001 USD  evt_… (812 bytes)`
 */
export function lineOf({ at, outcome, id, type, bytes, why, event }: ReceivedRequest): string {
  const time = `${at.slice(11, 19)} ${MARKS[outcome]}`
  const end = `${id ?? 'no webhook-id'} (${bytes} bytes)`
  if (outcome === 'refused') return printable(`${time} ${why}  ${end}`)
  const again = outcome === 'duplicate' ? 'again: ' : ''
  return printable([`${time} ${again}${type ?? 'an event without a type'}`, ...subject(event), end].join('  '))
}

function subject(event: unknown): string[] {
  const fields = (event ?? {}) as EventFields
  const { previousResource, resource, dimension, pricingTier, document, message, previous, current, currency } = fields
  const renamed = previousResource === undefined ? resource : `${previousResource} → ${resource}`
  const tier = Object.entries(pricingTier ?? {}).map(([key, value]) => `${key}=${value}`)
  const names = texts([renamed, dimension, ...tier, document, message]).join(' ')
  if (fields.announced || fields.replaces) return [names, announcement(fields)]
  const points = [previous?.price, current?.price]
  const prices = texts(points).length === 0 ? '' : points.map((price) => price ?? 'no price').join(' → ')
  const lines = Array.isArray(fields.lines) ? `${fields.lines.length} price lines` : ''
  return [names, prices && texts([prices, currency]).join(' '), lines].filter(Boolean)
}

/** `will be 0.0000015 USD from 2027-01-01`, or that it will not. */
function announcement({ announced, replaces, currency, action }: EventFields): string {
  const stated = announced ?? replaces
  const verb = action === 'withdrawn' ? 'will not be' : action === 'changed' ? 'will now be' : 'will be'
  return texts([verb, stated?.price, currency, 'from', stated?.effectiveFrom]).join(' ')
}

const texts = (items: unknown[]): string[] => items.filter((item) => typeof item === 'string')

/** What came over the network cannot steer the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')
