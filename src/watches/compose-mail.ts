import { newToken } from '../accounts/new-token.ts'
import { changesOf } from '../events/list-feed.ts'
import type { Sql } from '../lib/sql.ts'
import type { MailContent, WaitingMail } from '../mail/schema.ts'
import { insertLink } from './link-store.ts'
import { watchMail } from './mail-rules.ts'
import { addressOf, type MailFacts, partsOf, providerNames } from './mail-store.ts'

/** Returns a mail with a link of its own; undefined when no one wants it any more, or its events are gone. */
export async function composeWatchMail(sql: Sql, origin: string, mail: WaitingMail): Promise<MailContent | undefined> {
  const facts = mail.facts as MailFacts
  const { frequency } = facts
  const accountId = mail.accountId!
  const email = await addressOf(sql, accountId)
  if (email === undefined) return undefined
  const shown = await Promise.all(
    (await partsOf(sql, facts)).map(async (part) => ({ ...part, items: await changesOf(sql, part.seqs) })),
  )
  const parts = shown.filter(({ items }) => items.length > 0)
  if (parts.length === 0) return undefined
  const names = await providerNames(sql, [
    ...new Set(parts.flatMap(({ items }) => items.map(({ provider }) => provider))),
  ])
  const token = newToken()
  const ends = frequency === 'at_once' ? { watchId: parts[0]!.watchId, frequency: null } : { watchId: null, frequency }
  await insertLink(sql, token, { accountId, ...ends })
  const unsubscribe = `${origin}/unsubscribe/${token}`
  return watchMail({ frequency, email, parts }, { origin, unsubscribe, sellerOf: (slug) => names.get(slug) ?? slug })
}
