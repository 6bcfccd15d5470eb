import fc from 'fast-check'
import { epochMs, instantOf } from '../../src/lib/instant.ts'
import type { WebhookRef } from '../../src/webhooks/schema.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import type { testDatabase } from '../support/database.ts'
import type { Answer } from '../support/servers/receiver.ts'
import { TEST_KEY } from '../support/webhooks/deliveries.ts'
import type { deliverySystem } from '../support/webhooks/delivery-system.ts'
import { addWorkspace } from '../support/webhooks/subscriptions.ts'
import * as model from './webhook-model.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A check finds nothing that comes due while it runs: no attempt is due so near to it. */
const NOT_NEAR = 60_000
export const TYPES = ['price.changed', 'tos.changed'] as const

export type Webhook = model.ModelWebhook & WebhookRef & { path: string }
/** A workspace's webhooks, and what their receivers were sent. */
export type World = {
  webhooks: Webhook[]
  workspaceId: string
  /** How many paths of receivers there are. */
  paths: number
  /** The body of each event, by its id. */
  bodies: Map<string, string>
}
/** The product: its database and its workers. */
export type Product = { db: ReturnType<typeof testDatabase>; system: ReturnType<typeof deliverySystem> }
/** How a receiver answers, and what else happens before it does. */
export type Reply = (Answer & { losesConnections?: true }) | 'breaks off' | 'is silent'

export const secretTools = { secretKey: TEST_KEY, checkUrl: async () => {} }

/** What the buttons on a webhook need, at the server's time. */
export const operatorOf = async ({ db, system }: Product) => ({
  ...{ sql: db.sql, workflows: system.workflows, now: await system.now() },
})

export const now = async ({ system }: Product): Promise<number> => epochMs(await system.now())

export async function begin(product: Product): Promise<World> {
  const { sql } = product.db
  await sql`truncate workspace, event cascade`
  const world: World = { webhooks: [], workspaceId: await addWorkspace(sql), paths: 0, bodies: new Map() }
  await addWebhook(world, product)
  return world
}

export async function addWebhook(world: World, { db, system }: Product): Promise<void> {
  const path = `/hook-${world.paths++}`
  const url = new URL(path, system.receiver.url).href
  const body = { name: 'Orders', url, eventTypes: [...TYPES], providers: ['*'] }
  const { webhook, secret } = await createWebhook(db.sql, secretTools, world.workspaceId, body)
  const made = model.newWebhook(secret, [...TYPES])
  world.webhooks.push({ ...made, path, id: webhook.id, workspaceId: world.workspaceId })
}

export type Wait =
  | '5 min'
  | 'until due'
  | 'almost until due'
  | '8 h'
  | 'a day'
  | 'almost a day after'
  | 'a day after'
  | '31 days'
export const waits: fc.Arbitrary<Wait> = fc.constantFrom<Wait>(
  ...([
    '5 min',
    'until due',
    'almost until due',
    '8 h',
    'a day',
    'almost a day after',
    'a day after',
    '31 days',
  ] as const),
)

/** Lets time pass, but not to an instant at which something is just due. */
export async function pass({ webhooks }: World, product: Product, wait: Wait): Promise<void> {
  const from = await now(product)
  const dues = webhooks.flatMap(({ deliveries }) =>
    [...deliveries.values()].filter(({ status }) => status === 'pending').map(({ dueAt }) => dueAt),
  )
  const next = Math.min(...dues.filter((due) => due > from), from + 8 * HOUR)
  const firstFailure = Math.max(...webhooks.map(({ firstFailureAt }) => firstFailureAt ?? 0))
  const to = {
    '5 min': from + 5 * MINUTE,
    'until due': next + NOT_NEAR,
    'almost until due': next - NOT_NEAR,
    '8 h': from + 8 * HOUR,
    'a day': from + DAY,
    'almost a day after': firstFailure + DAY - 2 * NOT_NEAR,
    'a day after': firstFailure + DAY + 1_000,
    '31 days': from + 31 * DAY,
  }[wait]
  let at = Math.max(to, from + 2 * NOT_NEAR)
  while (dues.some((due) => Math.abs(due - at) < NOT_NEAR)) at += NOT_NEAR
  await product.system.until(instantOf(at))
}
