import { z } from 'zod'
import { admitFeedReader } from '../accounts/feeds/admit-feed-reader.ts'
import type { CountAddress } from '../accounts/limits/count-address.ts'
import type { Api } from '../api/route.ts'
import { contentName } from '../api/serving/etag-rules.ts'
import type { SendAnswer } from '../api/serving/send-answer.ts'
import { direction } from '../events/feed-schema.ts'
import { listFeed } from '../events/list-feed.ts'
import { eventType, significance } from '../events/schema.ts'
import { AppError } from '../lib/errors.ts'
import { instantOf } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import { storableString } from '../lib/storable-input.ts'
import { atomFeed } from './atom-rules.ts'

const ITEMS = 100
const ATOM_TYPE = 'application/atom+xml; charset=utf-8'

const names = storableString.transform((text) => text.split(','))
const query = z.object({
  types: names.pipe(z.array(eventType)).optional(),
  providers: names.optional(),
  resource: storableString.optional(),
  direction: direction.optional(),
  minSignificance: significance.optional(),
})

type Tools = { sql: Sql; origin: string; sendAnswer: SendAnswer; countAddress: CountAddress }

/** GET /feeds/:token/changes.atom: what changed, for feed readers. Everyone who has the address may read it. */
export const atomFeeds =
  ({ sql, origin, sendAnswer, countAddress }: Tools) =>
  async (api: Api): Promise<void> => {
    api.get('/feeds/:token/changes.atom', { schema: { hide: true } }, async (request, reply) => {
      const { token } = request.params as { token: string }
      await admitFeedReader(sql, countAddress, { token, ip: request.ip })
      const filter = query.safeParse(request.query)
      if (!filter.success) throw new AppError('invalid_query', 'The filter of this feed cannot be read: copy it again.')
      const { items } = await listFeed(sql, { ...filter.data, limit: ITEMS })
      const self = `${origin}${request.url}`
      const bytes = atomFeed(items, { origin, self, updated: instantOf(0) })
      return sendAnswer(request, reply, {
        name: contentName(bytes),
        cacheControl: 'private, no-cache',
        vary: 'accept-encoding',
        make: async () => ({ bytes, headers: { 'content-type': ATOM_TYPE } }),
      })
    })
  }
