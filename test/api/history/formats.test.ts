import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, seedProviders } from '../../support/prices.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant
const NDJSON = 'application/x-ndjson'
const CSV = 'text/csv'
const ODD_NAMES = [
  '@cf/meta/llama',
  '=1+1',
  '-x',
  'a,b',
  'say "hi"',
  'two\nlines',
  ',{"provider":"x"',
  'é 漢 🎉',
  '\\',
  ' ',
]

type Row = Record<string, unknown>

describe('formats of the price history', () => {
  const db = testDatabase()
  const api = testApi(db)
  const HISTORY = `/v1/prices/history?asOf=${AT}`
  const get = async (path: string, accept?: string) => {
    const answer = await api.get(path, accept === undefined ? {} : { accept })
    return {
      ...answer,
      type: String(answer.headers['content-type']),
      headers: answer.headers as Record<string, string>,
    }
  }
  const lines = (text: string): Row[] =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))

  beforeAll(async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
    const rows = ODD_NAMES.flatMap((resource) => [
      { provider: 'acme', resource, price: '0.000001' },
      { provider: 'acme', resource, price: '2', pricingTier: { region: 'eu, "west"', sku: resource } },
    ])
    await publish(db.sql, rows, AT)
    const later = Array.from({ length: 3_000 }, (_, n) => ({
      provider: 'acme',
      resource: `long, ${n}`,
      price: String(n),
      pricingTier: { sku: 'x'.repeat(150) },
    }))
    await publish(db.sql, later, '2026-01-02T00:00:00.000Z' as Instant)
  })

  it('JSON is sent to clients that accept it, anything, or say nothing', async () => {
    for (const accept of [
      undefined,
      '*/*',
      'application/json',
      'application/*',
      'text/html, */*;q=0.1',
      'application/json; charset=utf-8',
      `application/json, ${CSV}`,
      '*/*, text/csv;q=0.9',
    ]) {
      const { type, json } = await get(HISTORY, accept)
      expect([accept, type]).toEqual([accept, 'application/json; charset=utf-8'])
      expect((json as { prices: Row[] }).prices).toHaveLength(20)
    }
  })

  it('other types are 406 not_acceptable, in JSON', async () => {
    for (const accept of ['text/html', 'image/*', 'application/json;q=0', 'application/xml, text/html;q=0.5']) {
      const { status, json } = await get(HISTORY, accept)
      expect([accept, status]).toEqual([accept, 406])
      expect(json).toMatchObject({
        error: { code: 'not_acceptable', message: expect.stringMatching(/^Send an accept header with .*text\/csv/) },
      })
    }
  })

  it('NDJSON holds the rows of JSON, a line each', async () => {
    const { json } = await get(HISTORY)
    const { type, text } = await get(HISTORY, NDJSON)
    expect(type).toBe('application/x-ndjson; charset=utf-8')
    expect(text.endsWith('}\n')).toBe(true)
    expect(lines(text)).toEqual((json as { prices: Row[] }).prices)
  })

  it('CSV holds the rows of JSON, with a header and RFC 4180 quoting, and every text as it is', async () => {
    const rows = ((await get(HISTORY)).json as { prices: Row[] }).prices
    const { type, text } = await get(HISTORY, `${CSV}; charset=utf-8; header=present`)
    expect(type).toBe('text/csv; charset=utf-8; header=present')
    expect(text.split('\r\n')[0]).toBe(
      'provider,source,resource,dimension,unit,currency,pricingTier,price,recordedAt,contentHash,approvalStatus,renamedTo,continues',
    )
    const read = parse(text, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[]
    const expected = rows.map((row) => ({
      ...row,
      pricingTier: JSON.stringify(row.pricingTier),
      renamedTo: '',
      continues: '',
    }))
    expect(read).toEqual(expected)
    expect(new Set(read.map((row) => row.resource))).toEqual(new Set(ODD_NAMES))
  })

  it('an empty page is not a line of NDJSON, and the header alone in CSV', async () => {
    const empty = '/v1/prices/history?asOf=2020-01-01T00:00:00Z'
    expect((await get(empty, NDJSON)).text).toBe('')
    expect((await get(empty, CSV)).text.split('\r\n')).toHaveLength(2)
  })

  it.each([NDJSON, CSV])('%s is walked by the link or the cursor in its headers', async (accept) => {
    const count = (text: string) => (accept === NDJSON ? lines(text).length : parse(text, { columns: true }).length)
    for (const next of ['link', 'cursor']) {
      let path: string | undefined = `${HISTORY}&limit=7`
      const counts: number[] = []
      while (path) {
        const { status, text, headers } = await get(path, accept)
        expect(status).toBe(200)
        expect(headers['pricetape-as-of']).toBe(AT)
        counts.push(count(text))
        const cursor: string | undefined = headers['pricetape-next-cursor']
        const link = /^<([^>]+)>; rel="next"$/.exec(headers.link ?? '')?.[1]
        expect(link === undefined).toBe(cursor === undefined)
        const resolved: URL | undefined = link === undefined ? undefined : new URL(link, `http://localhost${path}`)
        if (next === 'link') path = resolved ? resolved.pathname + resolved.search : undefined
        else path = cursor && `/v1/prices/history?cursor=${cursor}&limit=7`
      }
      expect(counts).toEqual([7, 7, 6])
    }
  })

  it('the alias group is in the headers', async () => {
    const members = [{ provider: 'acme', resource: 'a,b' }]
    const { id, revision } = await saveGroup(db.sql, { name: 'Größe', members, actor: 'test' })
    for (const accept of [NDJSON, CSV]) {
      const { headers } = await get(`${HISTORY}&alias=${id}`, accept)
      expect([headers['pricetape-alias-id'], headers['pricetape-alias-revision']]).toEqual([id, String(revision)])
    }
  })

  it('each format has an ETag of its own, and all vary by accept', async () => {
    const answers = await Promise.all([undefined, NDJSON, CSV].map((accept) => get(HISTORY, accept)))
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(3)
    for (const { headers } of answers) expect(headers.vary).toBe('authorization, cookie, accept, accept-encoding')
    const known = { 'if-none-match': answers[1]!.headers.etag! }
    expect((await api.get(HISTORY, { ...known, accept: NDJSON })).status).toBe(304)
    expect((await api.get(HISTORY, { ...known, accept: CSV })).status).toBe(200)
  })

  it('with since there is JSON alone', async () => {
    const changes = `${HISTORY}&since=2025-12-31T00:00:00Z`
    const refused = await get(changes, NDJSON)
    expect(refused).toMatchObject({ status: 406, json: { error: { message: expect.stringMatching(/^With since/) } } })
    expect((await get(changes, `${CSV}, application/json;q=0.1`)).type).toBe('application/json; charset=utf-8')
  })

  it('a long page of CSV is whole', async () => {
    const path = '/v1/prices/history?asOf=2026-01-03T00:00:00Z&limit=10000'
    const { prices } = (await get(path)).json as { prices: Row[] }
    const read = parse((await get(path, CSV)).text, { columns: true }) as Record<string, string>[]
    expect(read.map((row) => row.contentHash)).toEqual(prices.map((row) => row.contentHash))
    expect(read).toHaveLength(3_020)
  })

  it('errors are JSON whatever is accepted', async () => {
    for (const accept of [NDJSON, CSV]) {
      const { type, json } = await get(`${HISTORY}&limit=0`, accept)
      expect(type).toBe('application/json; charset=utf-8')
      expect(json).toMatchObject({ error: { field: 'limit' } })
    }
  })
})
