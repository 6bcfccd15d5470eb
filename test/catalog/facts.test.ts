import { beforeEach, describe, expect, it } from 'vitest'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import type { StatedFact } from '../../src/catalog/facts/fact-schema.ts'
import { factsAt } from '../../src/catalog/facts/fact-store.ts'
import { recordFacts } from '../../src/catalog/facts/record-facts.ts'
import { type SourceDeclaration, sourceDeclaration } from '../../src/catalog/schema.ts'
import { recordEnded } from '../../src/catalog/sources/ended-source-store.ts'
import { declarePriceSource } from '../../src/catalog/sources/source-ingest-store.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { testDatabase } from '../support/database.ts'

const context = (value: string, resource = 'm'): StatedFact => ({ provider: 'acme', resource, fact: 'context', value })

describe('facts of resources', () => {
  const db = testDatabase({ each: true })
  const declare = (source: string, more: Partial<SourceDeclaration> = {}) =>
    declarePriceSource(db.sql, sourceDeclaration.parse({ source, format: 'curated', ...more }))
  const now = async (): Promise<Instant> => publishing(db.sql, async (_tx, { at }) => at)
  const shown = async (asOf: Instant, resource = 'm') =>
    (await factsAt(db.sql, asOf, [{ provider: 'acme', resource }])).map(({ value, source }) => `${value} ${source}`)

  beforeEach(async () => {
    await declare('list')
    await declare('own', { rank: 'provider', speaksFor: ['acme'] })
  })

  it('are the word of the source that is nearest to the provider', async () => {
    await recordFacts(db.sql, 'own', [context('200000'), { ...context('1', 'x'), provider: 'other' }])
    await recordFacts(db.sql, 'list', [context('128000'), { ...context('2', 'x'), provider: 'other' }])
    expect(await shown(await now())).toEqual(['200000 own'])
    // It does not speak for others: there it is a list like others.
    const [other] = await factsAt(db.sql, await now(), [{ provider: 'other', resource: 'x' }])
    expect(other).toMatchObject({ source: 'list' })
    await recordFacts(db.sql, 'own', [])
    expect(await shown(await now())).toEqual(['128000 list'])
  })

  it('are at an instant what they were, whatever is stated or declared later', async () => {
    await recordFacts(db.sql, 'list', [context('128000'), context('8000', 'n')])
    await recordFacts(db.sql, 'own', [context('200000')])
    const first = await now()
    await recordFacts(db.sql, 'own', [context('1000000')])
    const second = await now()
    await declare('own', { rank: 'community' })
    await recordFacts(db.sql, 'own', [])
    await recordFacts(db.sql, 'list', [context('256000')])
    expect([await shown(first), await shown(second), await shown(await now())]).toEqual([
      ['200000 own'],
      ['1000000 own'],
      ['256000 list'],
    ])
    expect([await shown(first, 'n'), await shown(await now(), 'n')]).toEqual([['8000 list'], []])
  })

  it('say since when they are stated, also when the source has another place since', async () => {
    await recordFacts(db.sql, 'own', [context('200000')])
    const statedSince = (await factsAt(db.sql, await now()))[0]!.statedSince
    await declare('own')
    await recordFacts(db.sql, 'own', [context('200000')])
    expect(await factsAt(db.sql, await now())).toMatchObject([{ value: '200000', statedSince }])
    expect(await db.sql`select 1 from resource_fact`).toHaveLength(2)
    await recordFacts(db.sql, 'own', [context('1000000')])
    const [larger] = await factsAt(db.sql, await now())
    expect(larger!.value).toBe('1000000')
    expect(larger!.statedSince > statedSince).toBe(true)
  })

  it('take no publication while a list states the same, and the first of two', async () => {
    await recordFacts(db.sql, 'list', [context('128000'), context('1')])
    const [before] = await db.sql`select last_stamp from publication_clock`
    await recordFacts(db.sql, 'list', [context('128000'), context('2')])
    expect(await db.sql`select last_stamp from publication_clock`).toEqual([before])
    expect(await shown(await now())).toEqual(['128000 list'])
  })

  it('end with their source', async () => {
    await recordFacts(db.sql, 'list', [context('128000')])
    const before = await now()
    await publishing(db.sql, (tx, { at }) => recordEnded(tx, 'list', at))
    expect([await shown(before), await shown(await now())]).toEqual([['128000 list'], []])
  })
})
