import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { epochMs, instantOf } from '../../src/lib/instant.ts'
import { openAttempt } from '../../src/webhooks/attempts/attempt-store.ts'
import { matchEvents } from '../../src/webhooks/matching/match-events.ts'
import { claimDeliveries } from '../../src/webhooks/rounds/round-store.ts'
import type { ReceivedRequest } from '../support/servers/receiver.ts'
import * as model from './webhook-model.ts'
import { now, type Product, pass, type Reply, type Webhook, type World } from './webhook-world.ts'

const MINUTE = 60_000

const keyOf = (request: ReceivedRequest) => `${request.headers['webhook-id']} at ${request.path}`

/** Runs a check whose requests get these answers, and compares every request and what became of it. */
export async function check(world: World, product: Product, given: Reply[]): Promise<void> {
  const { system } = product
  const earlier = system.receiver.requests.length
  const answers = new Map<string, Reply>()
  // What lost connections do to other deliveries of the round depends on the instant: the tests of faults are about that.
  const isAlone = world.webhooks.flatMap(toBeSent).length === 1
  system.receiver.answer((request, response) => {
    const key = keyOf(request)
    if (!answers.has(key)) answers.set(key, given[answers.size % given.length]!)
    const reply = answers.get(key)!
    if (reply === 'breaks off') response.destroy()
    if (typeof reply === 'string') return undefined
    const { losesConnections, ...answer } = reply
    if (!losesConnections || !isAlone) return answer
    void Promise.allSettled([loseConnections(product)]).then(() => response.writeHead(answer.status!).end())
    return undefined
  })
  const began = await now(product)
  await system.check()
  const ended = await now(product)
  for (const webhook of world.webhooks) {
    model.findPublished(webhook, began)
    model.recordCrashes(webhook)
  }
  const seen = new Set<string>()
  for (const request of system.receiver.requests.slice(earlier)) {
    const { webhook, delivery } = expected(world, request)
    checkRequest(world, webhook, request, began)
    // A POST that got no answer on a used connection is made once more.
    if (seen.has(keyOf(request))) continue
    seen.add(keyOf(request))
    checkTurn(webhook, delivery, { began, ended })
    const made = await madeAttempt(product, webhook, delivery, answers.get(keyOf(request))!)
    expect(made.began).toBeGreaterThanOrEqual(began)
    expect(made.began).toBeLessThan(began + 5 * MINUTE)
    model.attempt(webhook, delivery, made.outcome, made)
  }
  for (const webhook of world.webhooks) {
    model.failDueWhilePaused(webhook, began)
    const left = [...webhook.deliveries.values()].filter((delivery) => model.isDue(delivery, began))
    expect(
      left.map(({ eventId }) => eventId),
      'nothing that was due is left',
    ).toEqual([])
  }
}

/** What a check may send of a webhook: new events, and pending deliveries, whether they are due or not. */
const toBeSent = ({ deliveries, published }: Webhook): unknown[] => [
  ...[...deliveries.values()].filter(({ status }) => status === 'pending'),
  ...published,
]

/** Ends all connections to PostgreSQL, as when it is restarted: while a round runs and before an outcome is recorded. */
const loseConnections = ({ db }: Product) => db.sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`

/** The delivery that a request is an attempt of. */
function expected({ webhooks }: World, request: ReceivedRequest) {
  const webhook = webhooks.find(({ path }) => path === request.path)
  const delivery = webhook?.deliveries.get(String(request.headers['webhook-id']))
  if (!webhook || !delivery) throw new Error(`No one expects ${keyOf(request)}.`)
  return { webhook, delivery }
}

/** A delivery is sent when it is due, of an active webhook, and after those that were due before it. */
function checkTurn(
  webhook: Webhook,
  delivery: model.ModelDelivery,
  { began, ended }: { began: number; ended: number },
) {
  const name = nameOf(webhook, delivery)
  expect(webhook.state, `${name} is sent`).toBe('active')
  expect(model.isDue(delivery, ended), `${name} is due at ${instantOf(delivery.dueAt)}`).toBe(true)
  for (const other of webhook.deliveries.values())
    if (model.isDue(other, began)) expect(delivery.dueAt, 'the oldest first').toBeLessThanOrEqual(other.dueAt)
}

function checkRequest(world: World, webhook: Webhook, request: ReceivedRequest, at: number) {
  const { headers, body } = request
  const id = String(headers['webhook-id'])
  const signed = `${id}.${headers['webhook-timestamp']}.${body}`
  const signatures = model.signingSecrets(webhook, at).map((secret) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  expect(String(headers['webhook-signature']).split(' ').sort()).toEqual(signatures.sort())
  expect(Math.abs(Number(headers['webhook-timestamp']) * 1_000 - request.at.getTime())).toBeLessThan(5 * MINUTE)
  expect(body, 'the same body at every attempt').toBe(world.bodies.get(id) ?? body)
  world.bodies.set(id, body)
}

/** The next attempt of a delivery as the product recorded it. Its outcome follows from the reply. */
async function madeAttempt({ db }: Product, webhook: Webhook, delivery: model.ModelDelivery, reply: Reply) {
  const { eventId, cycle, attempts } = delivery
  const number = attempts.length + 1
  const [row] = await db.sql<{ outcome: string | null; began: string; ended: string }[]>`
    select a.outcome, a.started_at as began, coalesce(a.finished_at, a.started_at) as ended
    from delivery d join attempt a using (delivery_id)
    where d.webhook_id = ${webhook.id} and d.event_id = ${eventId} and a.cycle = ${cycle} and a.number = ${number}
    order by a.run`
  const name = nameOf(webhook, delivery)
  if (!row) throw new Error(`${name} has no attempt ${number}.`)
  const outcome: model.Outcome =
    typeof reply !== 'string' && String(reply.status).startsWith('2') ? 'succeeded' : 'failed'
  expect(row.outcome, `${name}: ${describeReply(reply)}`).toBe(outcome)
  return { outcome, began: Date.parse(row.began), ended: Date.parse(row.ended) }
}

const nameOf = ({ path }: Webhook, { eventId }: model.ModelDelivery) => `${eventId} for ${path}`
export const describeReply = (reply: Reply): string =>
  typeof reply === 'string' ? reply : `${reply.status}${reply.losesConnections ? ' while connections are lost' : ''}`

/** A round that crashes: some of what was due is claimed, and of that some attempts have begun. */
export async function crashRound(world: World, product: Product, claims: number): Promise<void> {
  const { sql } = product.db
  await pass(world, product, 'until due')
  const at = await product.system.now()
  while (await matchEvents(sql, { now: at }));
  for (const webhook of world.webhooks) {
    model.findPublished(webhook, epochMs(at))
    if (webhook.state === 'paused') continue
    const due = [...webhook.deliveries.values()].filter((delivery) => model.isDue(delivery, epochMs(at)))
    for (const [n, delivery] of due.slice(0, claims).entries()) {
      const [row] = await sql<{ id: string }[]>`
        select delivery_id as id from delivery where webhook_id = ${webhook.id} and event_id = ${delivery.eventId}`
      const deliveryId = row!.id
      const [claimed] = await claimDeliveries(sql, { roundId: `crashed at ${at}`, now: at }, [deliveryId])
      // An earlier round crashed after it had claimed this one.
      if (!claimed || n % 2 === 1) continue
      expect(await openAttempt(sql, { deliveryId, ...claimed.grant }, at)).toHaveProperty('request')
      delivery.crashedAt = epochMs(at)
    }
  }
}
