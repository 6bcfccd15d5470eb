import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newKey } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { launch, newcomer, type StartedInstallation } from '../../support/installation.ts'
import { publish, seedProviders } from '../../support/prices.ts'
import { freePort } from '../../support/servers/ports.ts'
import { lacks } from '../../support/suite/needs.ts'

describe('an API node while Temporal is away', () => {
  const db = testDatabase()
  let here: Awaited<ReturnType<typeof newcomer>>
  let api: StartedInstallation
  let key: string

  beforeAll(async () => {
    here = await newcomer()
    Object.assign(here.env, {
      DATABASE_URL: db.url,
      TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
      PRICETAPE_SECRET_KEY: randomBytes(32).toString('base64'),
    })
    await seedProviders(db.sql, undefined, [{ provider: 'acme' }])
    await publish(db.sql, [{ provider: 'acme', resource: 'm', price: '1' }])
    key = await newKey(db.sql)
    api = await launch('src/main.js', ['--role', 'api'], here.env)
    const answers = async () => expect((await fetch(`http://127.0.0.1:${here.env.PORT}/readyz/reads`)).status).toBe(200)
    await vi.waitFor(answers, { timeout: 60_000, interval: 200 })
  })
  afterAll(async () => {
    expect(await api?.stop('SIGTERM')).toBe(0)
    await here.remove()
  })

  it('starts and serves reads', async () => {
    const authorization = `Bearer ${key}`
    const url = `http://127.0.0.1:${here.env.PORT}`
    const history = await fetch(`${url}/v1/prices/history`, { headers: { authorization } })
    expect(history.status).toBe(200)
    const providers = await fetch(`${url}/v1/providers`, { headers: { authorization } })
    expect([providers.status, ((await providers.json()) as { providers: unknown[] }).providers.length]).toEqual([
      200, 1,
    ])
    expect((await fetch(`${url}/readyz/reads`)).status).toBe(200)
    // No worker has looked at Temporal yet.
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
  })

  it.skipIf(lacks('Linux'))(
    'loads none of the worker’s native code and takes less than 300 MB (needs Linux)',
    async () => {
      const maps = await readFile(`/proc/${api.process.pid}/maps`, 'utf8')
      expect(maps).toContain('/node')
      expect(maps).not.toMatch(/temporal.*\.node/)
      const status = await readFile(`/proc/${api.process.pid}/status`, 'utf8')
      expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(300_000)
    },
  )
})
