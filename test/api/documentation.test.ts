import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { expect, it } from 'vitest'
import { LEAN_BROWSER } from '../../src/collectors/fetch/browser-settings.ts'
import { findChromium } from '../../src/collectors/fetch/find-browser.ts'
import { testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase()
const api = testApi(db)

it('The OpenAPI document is built once and answered from the same bytes', async () => {
  const first = await api.get('/openapi.json')
  expect((await api.get('/openapi.json')).text).toBe(first.text)
  expect(first.headers.etag).toMatch(/^"[0-9a-f]{32}"$/)
  expect((await api.get('/docs/json')).headers.etag).toBe(first.headers.etag)
  expect((await api.get('/docs/yaml')).text).toMatch(/^openapi: /)
})

it('A client that has the OpenAPI document is answered 304', async () => {
  const etag = String((await api.get('/openapi.json')).headers.etag)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await api.get('/openapi.json', { 'if-none-match': known })
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', etag])
  }
  expect((await api.get('/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200)
})

it('The files of the documentation are sent compressed, and not again to a client that has them', async () => {
  const page = (await api.get('/docs/')).text
  const names = [...page.matchAll(/\.\/docs\/static\/([\w.-]+)|static\/([\w.-]+)/g)].map(
    (match) => match[1] ?? match[2]!,
  )
  const files = names.filter(
    (name) => name.startsWith('swagger-ui') || name.startsWith('favicon') || name === 'index.css',
  )
  expect(files).toContain('swagger-ui-bundle.js')
  for (const name of files) {
    const whole = await api.get(`/docs/static/${name}`)
    expect([whole.status, whole.headers.etag]).toEqual([200, expect.stringMatching(/^"[0-9a-f]{32}"$/)])
    const known = await api.get(`/docs/static/${name}`, { 'if-none-match': String(whole.headers.etag) })
    expect([known.status, known.text]).toEqual([304, ''])
  }
  const packed = await api.get('/docs/static/swagger-ui-bundle.js', { 'accept-encoding': 'gzip' })
  expect(packed.headers['content-encoding']).toBe('gzip')
})

it('A large answer arrives whole, with its length, which HEAD gives too', async () => {
  const url = '/docs/static/swagger-ui-bundle.js'
  const { rawPayload, headers } = await api.server.inject({ url })
  expect(rawPayload.equals(await readFile(`node_modules/@fastify/swagger-ui/static/${url.split('/').at(-1)}`))).toBe(
    true,
  )
  expect(headers['content-length']).toBe(String(rawPayload.length))
  const head = await api.server.inject({ url, method: 'HEAD' })
  expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([
    200,
    String(rawPayload.length),
    0,
  ])
})

it('The documentation does not ask a browser to load its parts over HTTPS', async () => {
  for (const path of ['/docs/', '/docs/static/swagger-initializer.js']) {
    const policy = String((await api.get(path)).headers['content-security-policy'])
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toContain('upgrade-insecure-requests')
  }
})

it('The documentation is readable in a browser', async () => {
  await api.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.server.server.address() as { port: number }
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', ...LEAN_BROWSER] })
  try {
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`http://127.0.0.1:${port}/docs/`)
    await page.locator('#operations-Prices-readPriceHistory .opblock-summary').click()
    await page.getByText('Rows on this page.').waitFor({ timeout: 30_000 })
    await sleep(200)
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT })
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
})
