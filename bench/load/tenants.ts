import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import type { EventDraft } from '../../src/events/schema.ts'
import { recordEvents } from '../../src/events/store.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { TEST_KEY } from '../../test/support/webhooks/deliveries.ts'

/** How a receiver behaves: the first part of its path. The last three are dead. */
export const KINDS = ['fast', 'slow', 'refuses', 'never', 'error'] as const
export type Kind = (typeof KINDS)[number]

/** The provider whose changes every webhook wants. */
export const PROVIDER = 'openai'

export type Tenants = {
  /** One reader's key for each workspace. */
  keys: string[]
  /** Where each webhook sends: its secret, its id and its receiver's behaviour, by path. */
  webhooks: Map<string, { id: string; secret: string; kind: Kind }>
}

/**
 * Makes workspaces with webhooks through the product's own use cases. A tenth of the webhooks is slow and a tenth is
 * dead; the first fifth of the workspaces has neither.
 * @param only behaves like this instead, each of them
 */
export async function createTenants(
  sql: Sql,
  wanted: { workspaces: number; webhooksEach: number },
  urlOf: (path: string, kind: Kind) => string,
  only?: Kind,
): Promise<Tenants> {
  const tenants: Tenants = { keys: [], webhooks: new Map() }
  const tools = { secretKey: TEST_KEY, checkUrl: async () => {} }
  let number = 0
  for (let w = 0; w < wanted.workspaces; w++) {
    const { workspaceId } = await createWorkspace(sql, { name: `Workspace ${w + 1}` })
    tenants.keys.push((await createApiKey(sql, { workspaceId, name: 'reader' })).key)
    const spared = w < wanted.workspaces / 5
    for (let n = 0; n < wanted.webhooksEach; n++) {
      const kind = only ?? (spared ? 'fast' : kindOf(number++))
      const path = `/${kind}/${w + 1}-${n + 1}`
      const subscription = { providers: [PROVIDER], eventTypes: ['price.changed' as const] }
      const body = { name: `Webhook ${n + 1}`, url: urlOf(path, kind), ...subscription }
      const { webhook, secret } = await createWebhook(sql, tools, workspaceId, body)
      tenants.webhooks.set(path, { id: webhook.id, secret, kind })
    }
  }
  return tenants
}

/** Each attempt to one that never answers takes five seconds, so they are fewer. */
const DEAD = ['refuses', 'error', 'refuses', 'error', 'never'] as const

/** Of eight webhooks outside the spared workspaces one is slow and one is dead: a tenth of all each. */
export function kindOf(number: number): Kind {
  if (number % 8 === 3) return 'slow'
  if (number % 8 === 7) return DEAD[Math.floor(number / 8) % DEAD.length]!
  return 'fast'
}

/** Publishes changed prices, each of a resource of its own, as ingesting a price list does it. */
export async function publishChanges(sql: Sql, count: number): Promise<void> {
  await publishing(sql, (tx, stamp) =>
    recordEvents(
      tx,
      stamp,
      Array.from({ length: count }, (_, n) => change(n)),
    ),
  )
}

const change = (n: number): EventDraft => ({
  type: 'price.changed',
  provider: PROVIDER,
  payload: {
    source: 'genai-prices',
    resource: `gpt-example-${n}`,
    canonicalResource: `openai/gpt-example-${n}`,
    dimension: 'input_tokens',
    unit: 'usd_per_token',
    currency: 'USD',
    pricingTier: { context: 'default', region: 'global' },
    previous: { price: '0.0000025', recordedAt: '2026-10-01T00:00:00.000Z', contentHash: 'a'.repeat(64) },
    current: { price: '0.0000030', recordedAt: '2026-11-22T00:00:00.000Z', contentHash: 'b'.repeat(64) },
  },
  resources: [`gpt-example-${n}`, `openai/gpt-example-${n}`],
  members: [`gpt-example-${n}`],
})
