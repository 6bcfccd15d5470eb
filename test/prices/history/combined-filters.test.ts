import { beforeAll, describe, expect, it } from 'vitest'
import { DAY, type Instant, plus } from '../../../src/lib/instant.ts'
import { historyChanges, historyPage } from '../../../src/prices/history/history-store.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, type SeedRow, seedProviders } from '../../support/prices.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant
const BOTH = [0, 1]
/** A row for each combination of what filters look at, and an earlier one of each line. */
const rowsOf = (price: string): SeedRow[] =>
  BOTH.flatMap((a) =>
    BOTH.flatMap((b) =>
      BOTH.flatMap((c) =>
        BOTH.map((d) => ({
          provider: ['acme', 'best'][a]!,
          resource: ['m', 'n'][b]!,
          dimension: ['input_tokens', 'pages'][c]!,
          canonicalResource: ['maker/x', 'maker/y'][d]!,
          pricingTier: { sku: ['x', 'y'][d]! },
          price,
        })),
      ),
    ),
  )
type Scope = Parameters<typeof historyPage>[1]['rows']
type Filter = { scope?: Partial<Scope>; filters?: Scope['filters']; keeps: (row: SeedRow) => boolean }
const MEMBERS = [
  { provider: 'acme', resource: 'm' },
  { provider: 'best', resource: 'n' },
]
/** Each filter: how it is asked for, and which rows it keeps. */
const FILTERS: Filter[] = [
  { scope: { providers: ['acme'] }, keeps: ({ provider }) => provider === 'acme' },
  { scope: { exceptProviders: ['best'] }, keeps: ({ provider }) => provider !== 'best' },
  {
    scope: { members: MEMBERS },
    keeps: (row) => MEMBERS.some(({ provider, resource }) => row.provider === provider && row.resource === resource),
  },
  { filters: { resources: ['n'] }, keeps: ({ resource }) => resource === 'n' },
  { filters: { canonicalResources: ['maker/y'] }, keeps: (row) => row.pricingTier!.sku === 'y' },
  { filters: { dimensions: ['pages'] }, keeps: ({ dimension }) => dimension === 'pages' },
  { filters: { current: true }, keeps: ({ price }) => price === '2' },
]
const CURRENT = FILTERS.length - 1

describe('filters of prices together', () => {
  const db = testDatabase()
  beforeAll(async () => {
    await seedProviders(db.sql, plus(AT, -DAY), [{ provider: 'acme' }, { provider: 'best' }])
    await publish(db.sql, rowsOf('1'), AT)
    await publish(db.sql, rowsOf('2'), plus(AT, DAY))
  })
  const named = (rows: SeedRow[]) =>
    rows.map(({ provider, resource, dimension, pricingTier, price }) => `${provider} ${resource} ${dimension} ${pricingTier!.sku} ${price}`).sort() // biome-ignore format: a line of text
  const parsed = (text: Buffer) => named(JSON.parse(`[${text}]`))

  it('keep what each of them keeps, in every combination, in a page and among changes', async () => {
    for (let chosen = 0; chosen < 2 ** FILTERS.length; chosen++) {
      const asked = FILTERS.filter((_, n) => chosen & (1 << n))
      const filters = Object.assign({}, ...asked.map((one) => one.filters))
      const scope: Scope = { ...Object.assign({}, ...asked.map((one) => one.scope)), filters }
      const keeps = (row: SeedRow) => asked.every((one) => one.keeps(row))
      const asOf = plus(AT, DAY)
      const { prices } = await historyPage(db.sql, { asOf, rows: scope, after: '', limit: 99 })
      expect(parsed(prices), JSON.stringify(scope)).toEqual(named([...rowsOf('1'), ...rowsOf('2')].filter(keeps)))
      if (chosen & (1 << CURRENT)) continue
      const changes = { asOf, since: AT, rows: scope, before: scope, entered: [], departed: [], after: '', limit: 99 }
      const found = await historyChanges(db.sql, changes)
      expect(parsed(found.prices), `changes ${JSON.stringify(scope)}`).toEqual(named(rowsOf('2').filter(keeps)))
    }
  })
})
