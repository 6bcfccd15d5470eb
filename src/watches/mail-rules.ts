import { headline, pathOf, pricesPath } from '../events/headline-rules.ts'
import type { FeedItem } from '../events/list-feed.ts'
import type { Instant } from '../lib/instant.ts'
import { lineInMail } from '../lib/text/mail-names.ts'
import type { MailContent } from '../mail/schema.ts'
import type { MailPart } from './mail-store.ts'
import type { Frequency, WatchView } from './schema.ts'
import { kindOf } from './watch-rules.ts'

/** A part with the changes that the mail shows. */
type ShownPart = MailPart & { items: FeedItem[] }
type ShownMail = { frequency: Frequency; email: string; parts: ShownPart[] }

export const KIND_OF = { at_once: 'watch', daily: 'watch_daily', weekly: 'watch_weekly' } as const

type Links = {
  /** The address of the app, without a slash at its end. */
  origin: string
  unsubscribe: string
  /** The name of a provider. */
  sellerOf: (provider: string) => string
}

/** Returns a mail about what changed. */
export function watchMail({ frequency, email, parts }: ShownMail, links: Links): MailContent {
  const { origin, unsubscribe } = links
  const ends = frequency === 'at_once' ? 'this watch' : `your ${frequency} mails`
  const text = [
    ...parts.map((part) => partText(part, links)),
    `You watch ${parts.length === 1 ? subjectText(parts[0]!) : 'these'} on Pricetape. Change what you watch:\n${origin}/account/watches`,
    `Unsubscribe from ${ends}, without signing in:\n${unsubscribe}`,
  ].join('\n\n')
  return { to: email, text, unsubscribe }
}

function partText(part: ShownPart, { origin, sellerOf }: Links): string {
  const { changes, items } = part
  const lines = items.map((item, n) => {
    const line = `- ${lineInMail(headline(item, sellerOf))}, since ${shownInstant(item.at)}`
    const link = linkOf(part, item)
    // Lines of one model follow each other: their page is named once.
    return link === undefined || link === linkOf(part, items[n + 1]) ? line : `${line}\n  ${origin}${link}`
  })
  const more = changes - items.length
  const path = subjectPath(part)
  return [
    `${subjectText(part)}${threshold(part)}`,
    lines.join('\n'),
    ...(more > 0 ? [`… and ${more.toLocaleString('en')} more changes.`] : []),
    ...(path === undefined ? [] : [origin + path]),
  ].join('\n\n')
}

/** Returns the page of a change, where the page of the subject does not show it: a difference, or a model of a seller. */
const linkOf = (watch: WatchView, item: FeedItem | undefined): string | undefined => {
  const kind = kindOf(subjectOf(watch))
  return item && (kind === 'document' || kind === 'seller') ? pathOf(item) : undefined
}

const subjectOf = ({ resource, document, group }: WatchView) => ({ resource, document, groupId: group?.id })

/** Returns what a watch is about, in words: `gpt-5 at OpenAI`. */
export function subjectText(watch: WatchView): string {
  const { resource, document, title, group, provider, providerName } = watch
  const seller = providerName ?? provider ?? ''
  if (group) return lineInMail(group.name)
  if (document) return lineInMail(`${title ?? document} of ${seller}`)
  return lineInMail(resource ? `${resource} at ${seller}` : seller)
}

const threshold = ({ minChange }: WatchView): string =>
  minChange > 0 ? ` (price changes of at least ${minChange}%)` : ''

/** Returns the page of what a watch is about; of a document there are the differences. */
function subjectPath({ provider, resource, document, group }: WatchView): string | undefined {
  if (group) return `/compare/${group.id}`
  if (document) return undefined
  return pricesPath(provider!, resource)
}

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const shownInstant = (at: string | Instant): string => `${format.format(new Date(at))} UTC`
