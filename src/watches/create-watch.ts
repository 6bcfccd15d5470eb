import { lockAccount } from '../accounts/users/account-store.ts'
import { findGroups } from '../aliases/group-store.ts'
import { recordAction } from '../audit/record-action.ts'
import { AppError } from '../lib/errors.ts'
import type { Sql, Tx } from '../lib/sql.ts'
import { subjectText } from './mail-rules.ts'
import type { WatchBody, WatchView } from './schema.ts'
import { MAX_WATCHES } from './watch-rules.ts'
import { countWatches, insertWatch, knownParts, watchesOf } from './watch-store.ts'

/**
 * Watches a subject for an account: it is mailed what is published from now on.
 * @throws AppError forbidden, invalid_body with `field`, watch_exists, watch_limit
 */
export async function createWatch(sql: Sql, accountId: string, wanted: WatchBody): Promise<WatchView> {
  const watch = await sql.begin(async (tx) => {
    const account = await lockAccount(tx, accountId)
    if (!account?.emailVerifiedAt)
      throw new AppError('forbidden', 'Confirm your e-mail address first: your account page sends the link.')
    await checkSubject(tx, wanted)
    if ((await countWatches(tx, accountId)) >= MAX_WATCHES)
      throw new AppError('watch_limit', `You watch ${MAX_WATCHES} things, which is the most: delete a watch first.`)
    const watchId = await insertWatch(tx, accountId, wanted)
    if (watchId === undefined) throw new AppError('watch_exists', 'You watch this already: change that watch.')
    const [made] = await watchesOf(tx, accountId, watchId)
    await recordAction(tx, 'watch_created', { accountId, subject: watchId, detail: { about: subjectText(made!) } })
    return made!
  })
  return watch as WatchView
}

/** @throws AppError invalid_body */
async function checkSubject(tx: Tx, wanted: WatchBody): Promise<void> {
  const { provider, resource, document, group } = wanted
  if (group !== undefined) {
    if ((await findGroups(tx, [group])).has(group)) return
    throw unknown('group', `there is no alias group ${group}`)
  }
  const known = await knownParts(tx, wanted)
  if (!known.provider) throw unknown('provider', `${provider} is not a provider`)
  if (resource !== undefined && !known.resource) throw unknown('resource', `${provider} has no price of ${resource}`)
  if (document !== undefined && !known.document) throw unknown('document', `${provider} has no document ${document}`)
}

const unknown = (field: string, problem: string) => new AppError('invalid_body', `${field}: ${problem}.`, { field })
