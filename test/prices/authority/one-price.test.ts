import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalContext } from '../../../src/catalog/context-rules.ts'
import { type PricingTier, sourceDeclaration } from '../../../src/catalog/schema.ts'
import { startObservations } from '../../../src/collectors/reading/observations.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { isStorable } from '../../../src/lib/text.ts'
import { kindOfPrice } from '../../../src/prices/authority/authority-rules.ts'
import { core } from '../../../src/prices/plan/renames/name-rules.ts'
import { tierText } from '../../../src/prices/row-rules.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { day, models } from '../observed.ts'
import { declareLists, snapshot } from '../support.ts'

/** How three lists spell the same models and the same step. */
const SPELLINGS = {
  list: { names: ['chat-1-5', 'chat-mini', 'acme/coder-2'], context: '>199999' },
  second: { names: ['Chat-1.5', 'acme/chat-mini', 'coder-2'], context: '>200000' },
  page: { names: ['Chat 1.5', 'Chat-Mini', 'Coder-2'], context: '>=200000' },
}
type Name = keyof typeof SPELLINGS

const DECLARED = {
  page: sourceDeclaration.parse({ source: 'page', format: 'hand', rank: 'provider', speaksFor: ['acme'] }),
  list: sourceDeclaration.parse({ source: 'list', format: 'hand' }),
  second: sourceDeclaration.parse({ source: 'second', format: 'hand' }),
}

/** What a list says, read as parsers read: a price and that of its step for each model that it has. */
function listed(of: Name, costs: (number | undefined)[], hasSteps: boolean): Observation[] {
  const { names, context } = SPELLINGS[of]
  const observations = startObservations()
  for (const [n, cost] of costs.entries())
    for (const tier of hasSteps ? [{}, { context }] : [{}])
      for (const dimension of ['input_tokens', 'output_tokens'] as const)
        if (cost !== undefined)
          observations.price({
            ...{ provider: 'acme', resource: names[n]!, dimension, tier, decimalShift: 6, locator: '/' },
            amount: cost * ('context' in tier ? 2 : 1) * (dimension === 'output_tokens' ? 4 : 1),
          })
  return observations.done().observations
}

const step = fc.record({
  of: fc.constantFrom<Name>('page', 'list', 'second'),
  costs: fc
    .array(fc.option(fc.integer({ min: 2, max: 4 }), { nil: undefined, freq: 6 }), { minLength: 3, maxLength: 3 })
    .filter((costs) => costs.some((cost) => cost !== undefined)),
  hasSteps: fc.boolean(),
  days: fc.constantFrom(0.5, 1, 9),
})

describe('current prices', () => {
  const db = testDatabase({ each: true })
  const api = testApi(db)

  it.each([1, 2, 9, 12])('are one for one thing, however lists spell its name and its step (seed %i)', async (seed) => {
    await declareLists(db.sql, Object.values(DECLARED))
    const [steps] = fc.sample(fc.array(step, { minLength: 10, maxLength: 10 }), { seed, numRuns: 1 })
    const instants: Instant[] = []
    let now = 1
    for (const { of, costs, hasSteps, days } of steps!) {
      now += days
      const lines = [...listed(of, costs, hasSteps), ...models(3)]
      await snapshot(db.sql, of, lines, { source: DECLARED[of], at: day(now) })
      instants.push(day(now))
    }
    type Row = { source: string; resource: string; dimension: string; pricingTier: PricingTier }
    for (const at of instants) {
      const { json } = await api.get(`/v1/prices/history?providers=acme&current=true&limit=1000&asOf=${at}`)
      const { prices } = json as { prices: Row[] }
      const things = prices.map(
        ({ resource, dimension, pricingTier }) =>
          `${core(resource)} ${dimension} ${canonicalContext(pricingTier.context ?? '')}`,
      )
      expect(prices.length).toBeGreaterThanOrEqual(6)
      expect(things.toSorted(), JSON.stringify(prices)).toEqual([...new Set(things)].toSorted())
    }
  })
})

describe('the kind of a price', () => {
  const db = testDatabase()

  it('is the same in the database as in the rules', async () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
      fc.constantFrom('batch', 'a b', '"', 'é'),
    )
    const text = word.filter((value) => isStorable(value))
    const key = fc.constantFrom('service', 'context', 'region', 'ttl', 'timeOfDay', 'operatingSystem', 'cloud', 'sku')
    const line = fc.record({
      provider: fc.constantFrom('acme', 'z-ai'),
      dimension: fc.constantFrom('input_tokens', 'output_images'),
      pricingTier: fc.dictionary(key, text, { maxKeys: 4 }).map((tier) => tierText(tier as PricingTier)),
    })
    const lines = fc.sample(line, { seed: 1, numRuns: 1_000 })
    const rows = await db.sql<{ kind: string }[]>`
      select price_kind(provider, dimension, "pricingTier") as kind
      from rows from (jsonb_to_recordset(${db.sql.json(lines)}::jsonb) as (provider text, dimension text, "pricingTier" text))
        with ordinality as l (provider, dimension, "pricingTier", n) order by n`
    expect(rows.map(({ kind }) => kind)).toEqual(lines.map(kindOfPrice))
  })
})
