import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFeedAddress } from '../../src/accounts/feeds/feed-address.ts'
import type { Api } from '../../src/api/route.ts'
import { addAccount } from '../support/accounts.ts'
import { keepBucketsFull, testServer } from '../support/api.ts'
import { send } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { addProviders, record } from '../support/webhooks/subscriptions.ts'
import { changed, documentChanged } from '../watches/support.ts'

describe('the address of a private feed', () => {
  const db = testDatabase()
  let server: Api
  let address: string
  beforeAll(async () => {
    server = await testServer(db.sql, { PRICETAPE_PUBLIC_URL: 'https://prices.example/' })
    keepBucketsFull(server, db.sql)
    const { accountId } = await addAccount(db.sql, 'reader@example.com')
    address = `/feeds/${await createFeedAddress(db.sql, accountId)}/changes.atom`
    await addProviders(db.sql, ['openai', 'azure'])
    await record(db.sql, ...Array.from({ length: 101 }, () => changed('1', '2', { resources: ['many'] })))
    await record(db.sql, changed('1', '2', { resources: ['risen'] }))
    await record(db.sql, changed('2', '1', { resources: ['fallen'], provider: 'azure' }))
    await record(db.sql, { ...documentChanged, significance: 'low' })
    await record(db.sql, { type: 'provider.added', provider: 'azure', payload: { name: 'Azure' } })
  })
  afterAll(() => server.close())
  const get = (query: string, headers = {}) => send(server, `GET ${address}${query}`, { headers })
  /** What the first entries are about: the first word of their titles. */
  const shown = async (query: string) => {
    const { status, text } = await get(query)
    expect(status, text).toBe(200)
    return [...text.matchAll(/<entry>\n.*\n<title>(\w+)/g)].slice(0, 4).map(([, word]) => word)
  }

  it('has the newest 100 changes, and is kept by no one but its reader', async () => {
    const { headers, text } = await get('')
    expect(text.match(/<entry>/g)).toHaveLength(100)
    expect(headers).toMatchObject({
      'content-type': 'application/atom+xml; charset=utf-8',
      'cache-control': 'private, no-cache',
      vary: 'accept-encoding',
    })
    const again = await get('', { 'if-none-match': headers.etag })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('names itself by the public address, with what it is filtered by, and links there', async () => {
    const { text } = await get('?providers=openai,azure&direction=up')
    const self = `https://prices.example${address}?providers=openai,azure&amp;direction=up`
    expect(text).toContain(`<link rel="self" type="application/atom+xml" href="${self}"/>`)
    expect(text).toContain('<link rel="alternate" type="text/html" href="https://prices.example/prices/openai/risen"/>')
  })

  it('is filtered as the page of changes is, by each filter and by several', async () => {
    expect(await shown('')).toEqual(['Azure', 'openai', 'fallen', 'risen'])
    expect(await shown('?types=provider.added,tos.changed')).toEqual(['Azure', 'openai'])
    expect(await shown('?providers=azure')).toEqual(['Azure', 'fallen'])
    expect(await shown('?providers=azure,openai&types=price.changed&direction=down')).toEqual(['fallen'])
    expect(await shown('?resource=risen')).toEqual(['risen'])
    expect(await shown('?minSignificance=medium')).toEqual(['Azure', 'fallen', 'risen', 'many'])
  })

  it('says so where its filter cannot be read, and shows nothing', async () => {
    for (const query of ['?types=nothing', '?direction=sideways', '?minSignificance=9', '?types=']) {
      const { status, code, text } = await get(query)
      expect([query, status, code, text.includes('copy it again')]).toEqual([query, 400, 'invalid_query', true])
    }
  })

  it('counts against the account, and one that does not exist against whoever tries it', async () => {
    const reader = await testServer(db.sql)
    const statuses = async (path: string) => {
      const asked = Array.from({ length: 60 }, () => send(reader, `GET ${path}`, { address: '192.0.2.9' }))
      return new Set((await Promise.all(asked)).map(({ status }) => status))
    }
    expect(await statuses(address)).toEqual(new Set([200, 429]))
    expect(await statuses(`/feeds/${'A'.repeat(43)}/changes.atom`)).toEqual(new Set([404, 429]))
    await reader.close()
  })
})
