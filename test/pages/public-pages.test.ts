import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveGroup } from '../../src/aliases/save-group.ts'
import type { Api } from '../../src/api/route.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { testServer } from '../support/api.ts'
import { send } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders } from '../support/prices.ts'

const at = (day: string) => `2026-01-${day}T00:00:00.000Z` as Instant
const HOSTILE = '"><script>alert(1)</script>'
const APP = '<!doctype html><html><head><title>Pricetape</title></head><body>the app</body></html>'

describe('public pages', () => {
  const db = testDatabase()
  let [open, closed] = [] as unknown as [Api, Api]
  let folder: string
  const page = (server: Api, path: string) => send(server, `GET ${path}`, { headers: { accept: 'text/html' } })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pricetape-app-'))
    await writeFile(join(folder, 'index.html'), APP)
    await mkdir(join(folder, 'assets'))
    for (const name of ['assets/app-1.js', 'assets/style-1.css', 'icon.svg', 'font.bin'])
      await writeFile(join(folder, name), `content of ${name}`)
    await seedProviders(db.sql, at('01'), [{ provider: 'acme' }])
    await publish(db.sql, [{ provider: 'acme', resource: 'm', price: '0.000002' }], at('02'))
    await publish(db.sql, [{ provider: 'acme', resource: 'm', price: '0.000001' }], at('10'))
    await publish(db.sql, [{ provider: 'acme', resource: HOSTILE, price: '1' }], at('11'))
    await publish(db.sql, [{ provider: 'acme', resource: 'm-eu', price: '0.000004' }], at('12'))
    const url = { PRICETAPE_PUBLIC_URL: 'https://pricetape.example' }
    open = await testServer(db.sql, { ...url, PRICETAPE_PUBLIC_PAGES: 'true' }, {}, folder)
    closed = await testServer(db.sql, url, {}, folder)
  })
  afterAll(async () => {
    await Promise.all([open.close(), closed.close()])
    await rm(folder, { recursive: true })
  })

  it('let visitors read what they show, and no one where they are not public', async () => {
    const paths = ['prices', 'series?resources=[["acme","m"]]', 'feed', 'overview', 'documents']
    for (const path of paths.map((name) => `GET /v1/app/${name}`)) {
      expect([(await send(open, path)).status, (await send(closed, path)).status]).toEqual([200, 401])
      expect((await send(open, path, { headers: { authorization: 'Bearer key' } })).status).toBe(403)
    }
    const search = 'GET /v1/search?q=acme'
    expect([(await send(open, search)).status, (await send(closed, search)).status]).toEqual([200, 401])
    expect((await send(open, search)).json).toMatchObject({
      providers: [{ provider: 'acme', name: 'ACME' }],
      webhooks: [],
    })
    expect((await send(open, 'GET /v1/app/overview')).json.waiting).toBeUndefined()
    expect((await send(open, 'GET /v1/session')).json).toMatchObject({ session: null, publicPages: true })
    expect((await send(open, 'GET /v1/account/feed')).status).toBe(401)
  })

  it('say in links to them what they show, with a picture of the price', async () => {
    const { text } = await page(open, '/prices/acme/m?view=1')
    expect(text).toContain('<title>m at ACME · Pricetape</title>')
    expect(text).toMatch(/og:description" content="input tokens 1 USD per million tokens, as of 20\d\d-\d\d-\d\d\."/)
    expect(text).toContain('og:url" content="https://pricetape.example/prices/acme/m?view=1"')
    const [, image] = /og:image" content="([^"]+)"/.exec(text)!
    const address = new URL(image!.replaceAll('&amp;', '&'))
    const answer = await open.inject({ url: address.pathname + address.search })
    expect(answer.headers['content-type']).toBe('image/png')
    const bytes = answer.rawPayload
    expect([bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['PNG', 1200, 630])
    const data = bytes.subarray(bytes.indexOf('IDAT') + 4, bytes.indexOf('IEND') - 8)
    const lines = inflateSync(data)
    const inkAt = (x: number) => Array.from({ length: 630 }, (_, y) => y).filter((y) => lines[y * 1201 + 1 + x] === 2)
    expect(Math.min(...inkAt(62))).toBeLessThan(Math.min(...inkAt(1000)))
    expect((await page(closed, '/prices/acme/m')).text).toContain('<title>Pricetape</title>')
    expect((await send(closed, 'GET /previews/price.png?provider=acme&resource=m')).status).toBe(404)
  })

  it('say what a model costs at its sellers, with a picture of all of them', async () => {
    const members = ['m', 'm-eu'].map((resource) => ({ provider: 'acme', resource }))
    const { id } = await saveGroup(db.sql, { name: `twins ${HOSTILE}`, members, actor: 'a test' })
    const { text } = await page(open, `/compare/${id}`)
    expect(text).toContain('og:description" content="At 1 seller, input tokens 1 to 4 USD per million tokens, as of ')
    expect(text).toContain('<title>twins &quot;&gt;&lt;script&gt;')
    const [, image] = /og:image" content="([^"]+)"/.exec(text)!
    const address = new URL(image!.replaceAll('&amp;', '&'))
    const answer = await open.inject({ url: address.pathname + address.search })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png'])
    expect((await send(open, 'GET /previews/comparison.png?group=none')).status).toBe(404)
    expect((await page(open, '/compare/none')).text).toContain('<title>Pricetape</title>')
    expect((await page(closed, `/compare/${id}`)).text).toContain('<title>Pricetape</title>')
  })

  it('are listed for search engines where they are public, and kept from them where they are not', async () => {
    const robots = await send(open, 'GET /robots.txt')
    expect(robots.text).toContain('Disallow: /v1/\n')
    expect(robots.text).toContain('Sitemap: https://pricetape.example/sitemap.xml\n')
    expect((await send(closed, 'GET /robots.txt')).text).toBe('User-agent: *\nDisallow: /\n')
    const map = await send(open, 'GET /sitemap.xml')
    for (const path of ['/', '/prices', '/documents'])
      expect(map.text).toContain(`<loc>https://pricetape.example${path}</loc>`)
    expect(map.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(map.text).toContain('<url><loc>https://pricetape.example/prices/acme/m</loc></url>')
    expect(map.text).toContain(
      `<loc>https://pricetape.example/prices/acme/${encodeURIComponent(HOSTILE).replaceAll("'", '&#39;')}</loc>`,
    )
    expect(map.text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset /)
    expect((await send(closed, 'GET /sitemap.xml')).status).toBe(404)
  })

  it('say in links to the past what was priced then, and nothing of an instant that cannot be read', async () => {
    const { text } = await page(open, '/prices/acme/m?asOf=2026-01-05T00:00:00Z')
    expect(text).toContain('og:description" content="input tokens 2 USD per million tokens, as of 2026-01-05."')
    const [, image] = /og:image" content="([^"]+)"/.exec(text)!
    const address = new URL(image!.replaceAll('&amp;', '&'))
    expect(address.searchParams.get('asOf')).toBe('2026-01-05T00:00:00Z')
    const picture = async (path: string) => (await open.inject({ url: path })).rawPayload
    const past = await picture(address.pathname + address.search)
    expect(past.toString('latin1', 1, 4)).toBe('PNG')
    expect(past.equals(await picture('/previews/price.png?provider=acme&resource=m'))).toBe(false)
    for (const asOf of ['2026-01-01T12:00:00Z', '2999-01-01T00:00:00Z', 'yesterday']) {
      expect((await page(open, `/prices/acme/m?asOf=${asOf}`)).text).toBe(APP)
      expect((await send(open, `GET /previews/price.png?provider=acme&resource=m&asOf=${asOf}`)).status).toBe(404)
    }
  })

  it('send browsers the app, which says so, for an address that does not exist, and programs the error', async () => {
    for (const path of ['/price', '/operator/nothing?x=1']) {
      const { status, text } = await page(closed, path)
      expect([status, text]).toEqual([404, APP])
      expect((await send(closed, `GET ${path}`)).json).toMatchObject({ error: { code: 'not_found' } })
    }
    const withoutApp = await testServer(db.sql)
    const posted = await send(closed, 'POST /price', { headers: { accept: 'text/html' } })
    for (const answer of [await page(closed, '/v1/none'), posted, await page(withoutApp, '/price')])
      expect([answer.status, answer.json]).toMatchObject([404, { error: { code: 'not_found' } }])
    await withoutApp.close()
  })

  it('show hostile and unknown names as text, or not at all', async () => {
    const { text } = await page(open, `/prices/acme/${encodeURIComponent(HOSTILE)}`)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; at ACME')
    expect(text).not.toContain('<script>')
    for (const path of ['/prices/acme/none', '/prices/acme/%00', '/prices/acme/$&$`'])
      expect((await page(open, path)).text).toBe(APP)
  })

  it('are the app for signed-in users, and a page without scripts for anyone else, at one address', async () => {
    const path = '/documents/acme/terms'
    const cookie = { cookie: 'pricetape=token', accept: 'text/html' }
    expect((await send(closed, `GET ${path}`)).text).toBe(APP)
    const signedIn = await open.inject({ url: path, headers: { ...cookie, cookie: '__Host-pricetape=token' } })
    expect(signedIn.body).toBe(APP)
    expect(signedIn.headers['cache-control']).toBe('no-cache')
    expect(signedIn.headers['content-security-policy']).toContain("script-src 'self';")
    const visitor = await page(open, path)
    expect([visitor.status, visitor.text.includes('<h1>Not found</h1>')]).toEqual([404, true])
  })

  it('say nothing of what they show to an address that asks too often, and draw no pictures for it', async () => {
    const { id } = await saveGroup(db.sql, {
      name: 'often',
      members: [{ provider: 'acme', resource: 'm' }],
      actor: 'a',
    })
    const of = async (url: string, remoteAddress: string) => {
      const answers = await Promise.all(Array.from({ length: 60 }, () => open.inject({ url, remoteAddress })))
      return answers.map(({ statusCode, body, headers }) => [statusCode, body, headers['retry-after']] as const)
    }
    for (const [n, path] of ['/prices/acme/m', `/compare/${id}`].entries()) {
      const bodies = (await of(path, `192.0.2.${n}`)).map(([, body]) => body)
      expect(bodies.slice(0, 20).every((body) => body.includes('og:title'))).toBe(true)
      expect(bodies.at(-1)).toBe(APP)
    }
    for (const [n, path] of ['price.png?provider=acme&resource=m', `comparison.png?group=${id}`].entries()) {
      const answers = await of(`/previews/${path}`, `192.0.2.${10 + n}`)
      expect(answers.slice(0, 20).map(([status]) => status)).toEqual(Array(20).fill(200))
      expect([answers.at(-1)![0], answers.at(-1)![2]]).toEqual([429, '1'])
    }
  })

  it('say in links to a comparison of the past what it cost then', async () => {
    const { id } = await saveGroup(db.sql, { name: 'past', members: [{ provider: 'acme', resource: 'm' }], actor: 'a' })
    const path = `/compare/${id}?asOf=2026-01-05T00:00:00Z`
    const { text } = await page(open, path)
    expect(text).toContain('input tokens 2 USD per million tokens, as of 2026-01-05.')
    expect(text).toContain(`og:url" content="https://pricetape.example${path}"`)
    const [, image] = /og:image" content="([^"]+)"/.exec(text)!
    const address = new URL(image!.replaceAll('&amp;', '&'))
    expect(Object.fromEntries(address.searchParams)).toEqual({ group: id, asOf: '2026-01-05T00:00:00Z' })
    const now = (await page(open, `/compare/${id}`)).text
    expect(now).toContain(`og:url" content="https://pricetape.example/compare/${id}"`)
    expect(now).toContain(`og:image" content="https://pricetape.example/previews/comparison.png?group=${id}"`)
    const picture = async (search: string) =>
      (await open.inject({ url: `/previews/comparison.png${search}` })).rawPayload
    const [past, current] = [await picture(address.search), await picture(`?group=${id}`)]
    expect(past.equals(current)).toBe(false)
    for (const asOf of ['2026-01-01T12:00:00Z', 'yesterday']) {
      expect((await page(open, `/compare/${id}?asOf=${asOf}`)).text).toBe(APP)
      expect((await send(open, `GET /previews/comparison.png?group=${id}&asOf=${asOf}`)).status).toBe(404)
    }
    const { id: unpriced } = await saveGroup(db.sql, {
      ...{ name: 'unpriced', actor: 'a', members: [{ provider: 'acme', resource: 'none' }] },
    })
    expect((await page(open, `/compare/${unpriced}`)).text).toBe(APP)
  })

  it('of lists have a title of their own, and their address without what is filtered', async () => {
    for (const [path, title] of [
      ['/', 'What changed · Pricetape'],
      ['/prices?q=x', 'Prices · Pricetape'],
      ['/documents', 'Documents · Pricetape'],
    ] as const) {
      const { text } = await page(open, path)
      expect(text).toContain(`<title>${title}</title>`)
      expect(text).toContain(`og:url" content="https://pricetape.example${path.split('?')[0]}"`)
    }
    for (const path of ['/previews/price.png', '/previews/price.png?provider=acme', '/previews/comparison.png'])
      expect((await send(open, `GET ${path}`)).status).toBe(404)
  })

  it('are not part of the API, and their files are kept by what is in them', async () => {
    const { paths } = (await send(open, 'GET /openapi.json')).json as { paths: object }
    expect(Object.keys(paths).filter((path) => !/^\/(v1|healthz|readyz|openapi|llms|$)/.test(path))).toEqual([])
    const kept = async (path: string) => {
      const { headers, text } = await send(open, `GET ${path}`)
      return [headers['content-type'], headers['cache-control'], text]
    }
    const forever = 'public, max-age=31536000, immutable'
    expect(await kept('/assets/app-1.js')).toEqual([
      'text/javascript; charset=utf-8',
      forever,
      'content of assets/app-1.js',
    ])
    expect((await kept('/previews/price.png?provider=acme&resource=m')).slice(0, 2)).toEqual([
      'image/png',
      'public, max-age=3600',
    ])
    expect(await kept('/assets/style-1.css')).toEqual([
      'text/css; charset=utf-8',
      forever,
      'content of assets/style-1.css',
    ])
    expect((await kept('/icon.svg')).slice(0, 2)).toEqual(['image/svg+xml', 'no-cache'])
    expect((await kept('/font.bin')).slice(0, 2)).toEqual(['application/octet-stream', 'no-cache'])
    expect((await page(open, '/index.html')).status).toBe(404)
    const tags = await Promise.all(['/prices/acme/m', '/prices/acme/m-eu', '/sign-in'].map((path) => page(open, path)))
    expect(new Set(tags.map(({ headers }) => headers.etag)).size).toBe(3)
  })

  it('are listed as they were for an hour, and again at once where that failed', async () => {
    const server = await testServer(db.sql, { PRICETAPE_PUBLIC_PAGES: 'true' }, {}, folder)
    const map = () => send(server, 'GET /sitemap.xml')
    await db.sql`alter table document rename to nowhere`
    expect((await map()).status).toBe(500)
    await db.sql`alter table nowhere rename to document`
    const { status, text } = await map()
    expect(status).toBe(200)
    await saveGroup(db.sql, { name: 'new', members: [{ provider: 'acme', resource: 'm' }], actor: 'a' })
    expect((await map()).text).toBe(text)
    await server.close()
  })
})
