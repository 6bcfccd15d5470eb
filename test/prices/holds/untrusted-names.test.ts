import { describe, expect, it } from 'vitest'
import { usableObservations } from '../../../src/prices/plan/difference/usable-observation-rules.ts'
import { nameParts, similarity } from '../../../src/prices/plan/renames/name-rules.ts'
import { findRenames, type NamedResource } from '../../../src/prices/plan/renames/rename-rules.ts'
import { observation } from '../../../src/prices/schema.ts'
import { testDatabase } from '../../support/database.ts'
import { model, observed } from '../observed.ts'
import { priceNow, snapshot } from '../support.ts'

/** Returns the processor time of work: a busy machine does not add to it. */
const seconds = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}

const UNSTORABLE = ['nul\u0000', 'surrogate\ud800', '\udc00surrogate']

describe('a name from a source', () => {
  it.each(['a', '-', '/', '%', '3p', ':0', '-2026-01-01', '\u0130', '👍', '-latest'])(
    'is read in linear time when it repeats %j',
    (part) => {
      const name = part.repeat(Math.ceil(1_000_000 / part.length))
      expect(seconds(() => nameParts(name))).toBeLessThan(1)
      expect(seconds(() => usableObservations([observed(name, 'input_tokens', '1')]))).toBeLessThan(1)
      expect(seconds(() => usableObservations([observed('m', 'input_tokens', name)]))).toBeLessThan(1)
    },
  )

  it('is compared with thousands of others within seconds', () => {
    const words = (n: number, letter: string) =>
      `${letter.repeat(140)}${'-ab'.repeat(40)}${n.toString(26).replace(/\d/g, 'z')}`
    const named = (letter: string, price: string): NamedResource[] =>
      Array.from({ length: 1_500 }, (_, n) => ({
        provider: 'acme',
        resource: words(n, letter).slice(0, 300),
        prices: price,
      }))
    expect(seconds(() => findRenames(named('x', '1'), named('y', '2')))).toBeLessThan(15)
    expect(seconds(() => findRenames(named('x', '1'), named('y', '1')))).toBeLessThan(15)
  })

  it('of 300 letters is compared at once', () => {
    const [a, b] = ['ab'.repeat(150), 'ba'.repeat(150)]
    expect(seconds(() => similarity(a, b))).toBeLessThan(0.1)
    expect(similarity(a, b)).toBeCloseTo(299 / 300)
  })

  it('longer than 300 characters is not usable', () => {
    const { usable, suppressed } = usableObservations([
      observed('a'.repeat(300), 'input_tokens', '1'),
      observed('b'.repeat(301), 'input_tokens', '1'),
      observed('c', 'input_tokens', '1', { canonicalResource: `acme/${'c'.repeat(300)}` }),
    ])
    expect(usable.map(({ resource }) => resource)).toEqual(['a'.repeat(300)])
    expect(suppressed).toEqual({ unreadable_name: 2 })
  })
})

describe('text that PostgreSQL cannot store', () => {
  const fields = ['resource', 'canonicalResource', 'category', 'billingCondition', 'effectiveFrom', 'locator'] as const

  it.each(UNSTORABLE.flatMap((text) => fields.map((field) => [text, field] as const)))(
    '%j is refused in %s',
    (text, field) => {
      const damaged = { ...observed('m', 'input_tokens', '1'), [field]: text }
      expect(observation.safeParse(damaged).success).toBe(false)
      expect(usableObservations([damaged]).usable).toEqual([])
    },
  )

  it('is refused in a pricing tier', () => {
    const damaged = observed('m', 'input_tokens', '1', { pricingTier: { sku: UNSTORABLE[0]! } })
    expect(usableObservations([damaged])).toMatchObject({ usable: [], suppressed: { unreadable_text: 1 } })
  })

  const db = testDatabase()

  it('never reaches the database, and the other prices of its snapshot do', async () => {
    const damaged = UNSTORABLE.flatMap((text) => [
      observed(text, 'input_tokens', '0.000001'),
      observed('model-b', 'input_tokens', '0.000001', { billingCondition: text }),
    ])
    const parsed = {
      providers: [{ provider: 'acme', name: `Acme${UNSTORABLE[0]}\ud800` }],
      observations: [...model('model-a', 0.000002), ...damaged],
      ignored: [],
    }
    const report = await snapshot(db.sql, 'src', parsed.observations, { parsed })
    expect(report).toMatchObject({ published: 2, suppressed: { unreadable_name: 3, unreadable_text: 3 } })
    expect(await priceNow(db.sql, 'model-a')).toBe('0.000002')
    const [provider] = await db.sql`select name from provider where provider = 'acme'`
    expect(provider?.name).toBe('Acmenul��')
  })
})
