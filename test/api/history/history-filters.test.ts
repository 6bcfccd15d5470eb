import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import { historyAnswer } from '../../../src/api/schema.ts'
import { publishing } from '../../../src/catalog/clock/clock-store.ts'
import { DAY, type Instant, plus } from '../../../src/lib/instant.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, renameIn, restoreIn, seedProviders, withdraw } from '../../support/prices.ts'

type History = z.infer<typeof historyAnswer>
const START = '2026-01-01T00:00:00.000Z' as Instant
const day = (n: number): Instant => plus(START, n * DAY)

describe('filters of the price history', () => {
  const db = testDatabase()
  const api = testApi(db)
  const history = async (query: string): Promise<History> => {
    const answer = await api.get(`/v1/prices/history?${query}`)
    expect(answer.status, answer.text).toBe(200)
    return historyAnswer.parse(answer.json)
  }
  const refused = async (query: string) => {
    const answer = await api.get(`/v1/prices/history?${query}`)
    const { error } = answer.json as { error: { code: string; field?: string } }
    return `${answer.status} ${error.code} ${error.field}`
  }
  const line = ({ provider, resource, dimension, price, renamedTo }: History['prices'][number]) =>
    `${provider}/${resource} ${dimension} ${price}${renamedTo ? ` → ${renamedTo}` : ''}`
  /** The rows of a walk in pages of two. */
  const rows = async (query: string): Promise<string[]> => {
    const lines: string[] = []
    for (let path: string | undefined = query; path; ) {
      const { prices, nextCursor }: History = await history(`${path}&limit=2`)
      lines.push(...prices.map(line))
      path = nextCursor === null ? undefined : `cursor=${nextCursor}`
    }
    return lines.sort()
  }
  const output = { dimension: 'output_tokens' }
  let first: string[]

  beforeAll(async () => {
    const providers = [{ provider: 'acme' }, { provider: 'globex' }, { provider: 'flake' }]
    await seedProviders(db.sql, day(-1), providers)
    first = await publish(
      db.sql,
      [
        { provider: 'acme', resource: 'm', price: '1', canonicalResource: 'acme/m' },
        { provider: 'acme', resource: 'm', price: '4', canonicalResource: 'acme/m', ...output },
        { provider: 'globex', resource: 'm', price: '2', canonicalResource: 'acme/m' },
        { provider: 'globex', resource: 'a, b', price: '3' },
        { provider: 'flake', resource: 'm', price: '0.5', currency: 'FLAKE_AI_CREDIT' },
      ],
      day(0),
    )
    await publish(db.sql, [{ provider: 'acme', resource: 'm', price: '1.5', canonicalResource: 'acme/m' }], day(1))
    await withdraw(db.sql, [first[2]!], day(2))
    await publishing(db.sql, (tx, stamp) => renameIn(tx, stamp, 'acme', 'm', 'm-1'), day(3))
    await publish(db.sql, [{ provider: 'acme', resource: 'm-1', price: '1.5', canonicalResource: 'acme/m' }], day(4))
    await publishing(db.sql, (tx, stamp) => restoreIn(tx, stamp, [first[2]!]), day(5))
  })

  it('resource narrows to exact names, of every provider but credit-priced ones, or of those named', async () => {
    expect(await rows(`resource=m&asOf=${day(0)}`)).toEqual([
      'acme/m input_tokens 1',
      'acme/m output_tokens 4',
      'globex/m input_tokens 2',
    ])
    expect(await rows(`resource=m&providers=flake,globex&asOf=${day(0)}`)).toEqual([
      'flake/m input_tokens 0.5',
      'globex/m input_tokens 2',
    ])
    expect(await rows(`resource=M&asOf=${day(0)}`)).toEqual([])
    expect(await rows(`resource=m&resource=m-1&asOf=${day(4)}`)).toHaveLength(4)
    // Equal filters have equal cursors.
    const cursors = ['m&resource=m-1', 'm-1&resource=m'].map(
      async (names) => (await history(`resource=${names}&asOf=${day(4)}&limit=1`)).nextCursor,
    )
    expect(await cursors[0]).toBe(await cursors[1])
    expect(await cursors[0]).not.toBeNull()
    const [one, other] = ['input_tokens,output_tokens', 'output_tokens,input_tokens,input_tokens'].map(
      async (names) => (await history(`dimension=${names}&asOf=${day(0)}&limit=1`)).nextCursor,
    )
    expect(await one).toBe(await other)
  })

  it('resource takes names with commas', async () => {
    expect(await rows(`resource=${encodeURIComponent('a, b')}&asOf=${day(0)}`)).toEqual(['globex/a, b input_tokens 3'])
    expect(await rows(`resource=${encodeURIComponent('a, b')}&resource=m&asOf=${day(0)}`)).toHaveLength(4)
  })

  it('canonicalResource narrows to rows that were recorded with it', async () => {
    expect(await rows(`canonicalResource=acme/m&asOf=${day(0)}`)).toHaveLength(3)
    expect(await rows(`canonicalResource=acme/m&providers=globex&asOf=${day(0)}`)).toEqual(['globex/m input_tokens 2'])
    expect(await rows(`canonicalResource=acme/m&resource=m-1&asOf=${day(4)}`)).toEqual(['acme/m-1 input_tokens 1.5'])
    expect(await rows(`canonicalResource=other&asOf=${day(0)}`)).toEqual([])
  })

  it('dimension narrows to dimensions, alone and beside others', async () => {
    expect(await rows(`dimension=output_tokens&asOf=${day(0)}`)).toEqual(['acme/m output_tokens 4'])
    expect(await rows(`dimension=output_tokens,input_tokens&asOf=${day(0)}`)).toHaveLength(4)
    expect(await rows(`dimension=input_tokens&providers=acme&asOf=${day(1)}`)).toHaveLength(2)
    expect(await rows(`dimension=input_tokens&resource=m&asOf=${day(0)}`)).toHaveLength(2)
  })

  it('narrows the members of a group too', async () => {
    const members = ['acme', 'globex'].map((provider) => ({ provider, resource: 'm' }))
    // A group of its own database: saving one stamps the present.
    const { id } = await saveGroup(db.sql, { name: 'M', members, actor: 'test' })
    expect(await rows(`alias=${id}&asOf=${day(0)}`)).toHaveLength(3)
    expect(await rows(`alias=${id}&asOf=${day(0)}&dimension=output_tokens`)).toEqual(['acme/m output_tokens 4'])
    expect(await rows(`alias=${id}&asOf=${day(0)}&resource=other`)).toEqual([])
    expect(await rows(`alias=${id}&asOf=${day(1)}&current=true&dimension=input_tokens`)).toEqual([
      'acme/m input_tokens 1.5',
      'globex/m input_tokens 2',
    ])
  })

  it('current shows the newest row of each line, and a former name only while the listed one has no row', async () => {
    const current = (n: number) => rows(`current=true&dimension=input_tokens,output_tokens&asOf=${day(n)}`)
    const others = ['globex/a, b input_tokens 3']
    expect(await current(0)).toEqual([
      'acme/m input_tokens 1',
      'acme/m output_tokens 4',
      ...others,
      'globex/m input_tokens 2',
    ])
    expect(await current(1)).toEqual([
      'acme/m input_tokens 1.5',
      'acme/m output_tokens 4',
      ...others,
      'globex/m input_tokens 2',
    ])
    expect(await current(2)).toEqual(['acme/m input_tokens 1.5', 'acme/m output_tokens 4', ...others])
    expect(await current(3)).toEqual(['acme/m input_tokens 1.5 → m-1', 'acme/m output_tokens 4 → m-1', ...others])
    expect(await current(4)).toEqual(['acme/m output_tokens 4 → m-1', 'acme/m-1 input_tokens 1.5', ...others])
    expect(await current(5)).toEqual([...(await current(4)), 'globex/m input_tokens 2'])
    for (const query of ['', 'resource=m,m-1&', 'providers=acme,globex&', 'canonicalResource=acme/m&'])
      expect(await rows(`${query}current=true&asOf=${day(4)}`)).toContain('acme/m-1 input_tokens 1.5')
    expect(await rows(`current=true&providers=acme&asOf=${day(4)}`)).toHaveLength(2)
    expect(await rows(`current=false&providers=acme&asOf=${day(4)}`)).toHaveLength(4)
  })

  it('since shows what differs from an earlier instant: new, changed and gone', async () => {
    const changes = async (from: number, to: number, query = '') => {
      const answer = await history(`${query}since=${day(from)}&asOf=${day(to)}`)
      return { prices: answer.prices.map(line).sort(), unpublished: answer.unpublished }
    }
    expect(await changes(0, 0)).toEqual({ prices: [], unpublished: [] })
    expect(await changes(0, 1)).toEqual({ prices: ['acme/m input_tokens 1.5'], unpublished: [] })
    expect(await changes(1, 2)).toEqual({ prices: [], unpublished: [first[2]] })
    expect(await changes(1, 2, 'providers=acme&')).toEqual({ prices: [], unpublished: [] })
    const renamed = ['input_tokens 1', 'input_tokens 1.5', 'output_tokens 4'].map((row) => `acme/m ${row} → m-1`)
    expect((await changes(2, 3, 'providers=acme&')).prices).toEqual(renamed)
    expect((await changes(1, 5)).unpublished).toEqual([])
    expect((await changes(1, 5, 'providers=globex&')).prices).toEqual(['globex/m input_tokens 2'])
    expect((await history(`since=${day(0)}&asOf=${day(1)}`)).since).toBe(day(0))
    expect((await history(`asOf=${day(1)}`)).unpublished).toBeUndefined()
    const lines = await api.get(`/v1/prices/history?since=${day(0)}&asOf=${day(1)}`, { accept: 'text/csv' })
    expect(lines.status).toBe(406)
  })

  it('refuses what is not a filter’s value with invalid_query and the field at fault', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`).join(',')
    const wrong: [query: string, field: string][] = [
      ['resource=', 'resource'],
      ['resource=a,', 'resource'],
      ['resource=%00', 'resource'],
      [`resource=${'x'.repeat(301)}`, 'resource'],
      [`resource=${many(51)}`, 'resource'],
      [`resource=${Array.from({ length: 14 }, (_, n) => `${'x'.repeat(298)}${n + 10}`)}`, 'resource'],
      [`canonicalResource=${many(51)}`, 'canonicalResource'],
      ['canonicalResource=', 'canonicalResource'],
      ['dimension=tokens', 'dimension'],
      ['dimension=', 'dimension'],
      ['current=yes', 'current'],
      ['current=true&current=true', 'current'],
      ['since=yesterday', 'since'],
      [`since=${day(2)}&asOf=${day(1)}`, 'since'],
      ['since=2999-01-01T00:00:00Z', 'since'],
      [`since=${day(0)}&current=true`, 'since'],
    ]
    for (const [query, field] of wrong) expect(await refused(query), query).toBe(`400 invalid_query ${field}`)
    expect(await rows(`resource=${many(49)}&asOf=${day(0)}`)).toEqual([])
  })

  it('gives a cursor that fits into the next address, whatever it pins', async () => {
    const slugs = Array.from({ length: 197 }, (_, n) => `${'p'.repeat(61)}${n + 100}`)
    await db.sql`insert into provider (provider, name, created_at) select p, p, ${day(0)} from unnest(${slugs}::text[]) as p`
    const names = Array.from({ length: 49 }, (_, n) => `${'x'.repeat(78)}${n + 10}`)
    const query = [
      `providers=${['acme', 'globex', 'flake', ...slugs]}`,
      `resource=${encodeURIComponent(['m', ...names].join(','))}`,
      `canonicalResource=${encodeURIComponent(['acme/m', ...names].join(','))}`,
      'dimension=input_tokens,output_tokens',
      `since=${day(-1)}&asOf=${day(0)}&limit=1`,
    ]
    const { nextCursor, prices } = await history(query.join('&'))
    expect(nextCursor!.length).toBeLessThan(32_000)
    const rest = await history(`cursor=${nextCursor}`)
    expect([prices.length, rest.prices.length, rest.nextCursor, rest.since]).toEqual([1, 2, null, day(-1)])
  })
})
