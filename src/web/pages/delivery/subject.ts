import { shownDimension, shownTier } from '../prices/money.ts'

type Subject = { provider?: string; subject?: string; payload?: string }
/** Of the body of an event, what says what it is about. */
type Body = {
  dimension?: string
  pricingTier?: Record<string, string>
  billingCondition?: string
  shown?: { previous?: string; current?: string; per: string }
  currency?: string
  title?: string
  document?: string
  groupDeleted?: boolean
  group?: { name: string }
  previousResource?: string
  previous?: { versionId?: string }
  current?: { versionId?: string }
}

/** Reads the body of a delivery where the log has it. Everything else is looked up on the delivery's own page. */
function bodyOf(payload: string | undefined): Body {
  if (payload === undefined) return {}
  try {
    return JSON.parse(payload) as Body
  } catch {
    return {}
  }
}

/** Which price of a resource, and how it changed: `Output · batch: 2.00 → 1.50 USD / million tokens`. */
export function detailsOf({ payload }: Subject): string | undefined {
  const { dimension, pricingTier = {}, shown, currency, group, previousResource } = bodyOf(payload)
  if (group) return `group ${group.name}`
  if (previousResource) return `was ${previousResource}`
  if (dimension === undefined) return undefined
  const line = [shownDimension(dimension), shownTier(pricingTier)].filter(Boolean).join(' · ')
  if (!shown) return line
  const prices = [shown.previous ?? 'new', shown.current ?? 'ended'].join(' → ')
  return `${line}: ${prices} ${currency} / ${shown.per}`
}

type Page = { to: string; params: Record<string, string>; search?: Record<string, string>; label: string }

/** The page that shows what an event is about: the model, or the two versions of the document. Absent for tests. */
export function pageOf({ provider, subject, payload }: Subject): Page | undefined {
  if (!provider) return undefined
  const { document, previous, current } = bodyOf(payload)
  if (document)
    return {
      to: '/documents/$provider/$document',
      params: { provider, document },
      ...(previous?.versionId && current?.versionId && { search: { from: previous.versionId, to: current.versionId } }),
      label: 'See the change',
    }
  return subject
    ? { to: '/prices/$provider/$resource', params: { provider, resource: subject }, label: 'See its prices' }
    : undefined
}
