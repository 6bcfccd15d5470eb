import type { Instant } from '../../../src/lib/instant.ts'
import { createSafeFetch } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { attemptDelivery } from '../../../src/webhooks/attempts/attempt-delivery.ts'
import { seedProviders } from '../prices.ts'
import { record } from '../webhooks/subscriptions.ts'
import { SECRET_KEY } from './app.ts'

export const HOSTILE = '<img src=x onerror=alert(1)>'
export const secretKey = Buffer.from(SECRET_KEY, 'base64')

/** Two providers with three models each, one with a hostile name, and changes of the prices of two. */
export async function seedSubscribable(sql: Sql): Promise<void> {
  await seedProviders(sql, undefined, [{ provider: 'openai' }, { provider: 'mistral' }])
  await sql`update provider set name = ${HOSTILE} where provider = 'mistral'`
  await sql`
    insert into resource (source, provider, resource, first_priced_at)
    select 'seed', p, name, now() from unnest(array['openai', 'mistral']) as p,
           unnest(array['gpt-5', 'gpt-5-mini', ${HOSTILE}]) as name`
  const change = { type: 'price.changed', provider: 'mistral', payload: {} } as const
  const about = (name: string) => ({ ...change, resources: [name], members: [name] })
  await record(sql, about('gpt-5'), about('gpt-5'), about('gpt-5-mini'))
}

/** Makes the next attempt of a delivery, as a round of the worker does. Returns when the one after it is due. */
export async function attempt(sql: Sql, deliveryId: string, number: number, now: Instant) {
  const tools = { sql, post: createSafeFetch({ allowPrivate: true }).post, secretKey }
  const { state } = await attemptDelivery(tools, { deliveryId, cycle: 1, number, run: 1 }, now)
  return state.dueAt
}
