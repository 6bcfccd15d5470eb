import fc from 'fast-check'
import { deleteGroup } from '../../../src/aliases/delete-group.ts'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import { lastPublication } from '../../../src/catalog/clock/clock-store.ts'
import { type Instant, latest } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { restoreRow, withdrawRow } from '../../../src/prices/review/correct-price.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { day, observed } from '../../prices/observed.ts'
import { snapshot } from '../../prices/support.ts'

/** Names of one resource in several spellings: each continues the one before it. */
export const NAMES = ['alpha', 'beta', 'gamma'].map((name) => [
  `${name}-1`,
  `${name}_1`,
  `${name}.1`,
  `${name.toUpperCase()}-1`,
])
export const PROVIDERS = ['dollar', 'euro', 'flake', 'solo']
const SOURCE = 'market'
/** A resource counts as removed after this many fetches without it. */
const FETCHES_TO_REMOVE = 3

const KINDS = [
  ...['price', 'price', 'rename', 'rename', 'toggle', 'toggle', 'line', 'category', 'canonical', 'wait', 'solo'],
  ...['credit', 'currency', 'decide', 'decide', 'correct', 'correct', 'group', 'group'],
] as const
/** Something that happens to the world: what it happens to follows from `pick`. */
export const happening = fc.record({
  kind: fc.constantFrom(...KINDS),
  pick: fc.nat(10_000),
  factor: fc.constantFrom(0, 0.5, 1.2, 2, 7, 10),
})
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

type ListedModel = {
  provider: string
  names: string[]
  spelling: number
  listed: boolean
  cached: boolean
  category?: string
  canonical?: string
  /** In billionths. */
  price: number
}

/** A market whose price list is read again after each happening, and what people decide about it. */
export function randomWorld(sql: Sql) {
  let days = 0
  const resources: ListedModel[] = PROVIDERS.flatMap((provider) =>
    (provider === 'solo' ? NAMES.slice(0, 1) : NAMES).map((names, n) => ({
      ...{ provider, names, spelling: 0, listed: true, cached: false },
      price: 1_000 * (n + 1),
    })),
  )
  const inCredits = new Set<string>()
  const world = { groups: [] as string[], euroSellsInDollars: false }

  const next = (): Instant => day(days++)
  const pickOf = <T>(items: T[], pick: number): T | undefined => items[pick % Math.max(items.length, 1)]
  const decimal = (billionths: number) => (billionths / 1e9).toFixed(12).replace(/\.?0+$/, '') || '0'
  const linesOf = ({ provider, names, spelling, cached, category, canonical, price }: ListedModel): Observation[] => {
    const money = provider === 'euro' ? { unit: 'eur_per_token', currency: 'EUR' } : {}
    const more = { ...money, provider, category, canonicalResource: canonical }
    const name = names[spelling]!
    return [
      observed(name, 'input_tokens', decimal(price), more),
      observed(name, 'output_tokens', decimal(price * 4), more),
      ...(cached ? [observed(name, 'cache_read_tokens', decimal(price / 10), more)] : []),
    ]
  }
  const read = () => {
    const listed = resources.filter((resource) => resource.listed).flatMap(linesOf)
    const fillers = PROVIDERS.filter((provider) => provider !== 'solo').map((provider) => {
      const money = provider === 'euro' ? { unit: 'eur_per_token', currency: 'EUR' } : {}
      return observed('filler', 'requests', '0.5', { provider, ...money })
    })
    const extra = world.euroSellsInDollars ? [observed('extra', 'requests', '0.25', { provider: 'euro' })] : []
    const credits = [...inCredits].map((provider) =>
      observed('credit', 'credits', '0.01', { provider, unit: 'usd_per_credit' }),
    )
    const providers = PROVIDERS.map((provider) => ({ provider, name: provider }))
    const parsed = { providers, observations: [...listed, ...fillers, ...extra, ...credits], ignored: [] }
    return snapshot(sql, SOURCE, [], { parsed, at: next() })
  }
  const readUntilRemoved = async () => {
    for (let fetches = 0; fetches < FETCHES_TO_REMOVE; fetches++) await read()
  }

  const decide = async (pick: number) => {
    const item = pickOf(await openReviewItems(sql), pick)
    if (!item) return
    const decided = { reviewId: item.reviewId, actor: 'person', reason: 'because', at: next() }
    const editable = item.rows.length > 0 && pick % 3 === 2
    if (editable)
      await decideReview(sql, {
        ...decided,
        decision: 'edit',
        edits: [{ contentHash: item.rows[0]!, price: '0.000003' }],
      })
    else await decideReview(sql, { ...decided, decision: pick % 3 === 0 ? 'reject' : 'approve' })
  }
  const correct = async (pick: number) => {
    const rows = await sql<{ contentHash: string; status: string }[]>`
      select r.content_hash as "contentHash", last.status from price_row r
      cross join lateral (select s.status from price_status s where s.content_hash = r.content_hash
                          order by s.seq desc limit 1) last
      where last.status in ('approved', 'auto_approved', 'withdrawn') order by r.content_hash`
    const row = pickOf([...rows], pick)
    if (!row) return
    const correction = { contentHash: row.contentHash, actor: 'person', reason: 'because', at: next() }
    if (row.status === 'approved' || row.status === 'auto_approved') return void (await withdrawRow(sql, correction))
    // A row of a removed line stays withdrawn.
    await restoreRow(sql, correction).catch((error: Error) => {
      if (!error.message.includes('no longer lists this price')) throw error
    })
  }
  const changeGroup = async (pick: number) => {
    const all = resources.flatMap(({ provider, names }) => names.map((resource) => ({ provider, resource })))
    const picked = all.filter((_, n) => (pick >> (n % 7)) % 2 === 0)
    const members = picked.length > 0 ? picked : all.slice(0, 1)
    const id = pick % 3 === 0 ? undefined : pickOf(world.groups, pick)
    if (id !== undefined && pick % 11 === 0) {
      world.groups = world.groups.filter((other) => other !== id)
      await deleteGroup(sql, { id, actor: 'person', at: next() })
      return
    }
    const name = `Group ${id ?? world.groups.length} ${days}`
    const saved = await saveGroup(sql, { id, name, members, actor: 'person', at: next() })
    if (id === undefined) world.groups.push(saved.id)
  }

  /** Lets something happen, through the use cases that it would happen through. */
  const happen = async ({ kind, pick, factor }: Happening): Promise<void> => {
    const resource = pickOf(resources, pick)!
    if (kind === 'decide') return decide(pick)
    if (kind === 'correct') return correct(pick)
    if (kind === 'group') return changeGroup(pick)
    let removes = false
    if (kind === 'price') resource.price = Math.round(resource.price * factor) || 1_000
    if (kind === 'rename') resource.spelling = (resource.spelling + 1) % resource.names.length
    if (kind === 'category') resource.category = `category ${pick % 3}`
    if (kind === 'canonical') resource.canonical = `maker/${resource.names[0]}-${pick % 2}`
    if (kind === 'credit') {
      const provider = pick % 4 === 0 ? 'euro' : 'flake'
      removes = inCredits.delete(provider)
      if (!removes) inCredits.add(provider)
    }
    if (kind === 'toggle' || kind === 'solo') {
      const toggled = kind === 'solo' ? resources.at(-1)! : resource
      toggled.listed = !toggled.listed
      removes = !toggled.listed
    }
    if (kind === 'line') {
      resource.cached = !resource.cached
      removes = !resource.cached
    }
    if (kind === 'currency') {
      world.euroSellsInDollars = !world.euroSellsInDollars
      removes = !world.euroSellsInDollars
    }
    await (removes ? readUntilRemoved() : read())
  }

  /** An instant that is closed: at a happening, just before one, or between two. */
  const closedInstant = async (pick: number, shift: number): Promise<Instant> => {
    const last = await lastPublication(sql)
    const at = new Date(Date.parse(day(pick % Math.max(days, 1))) + shift).toISOString() as Instant
    return latest(at, last) === last ? at : last
  }
  return { happen, read, closedInstant, group: (pick: number) => pickOf(world.groups, pick) }
}
