import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createWorkspace } from '../../../src/accounts/workspaces/create-workspace.ts'
import { testDatabase } from '../../support/database.ts'
import {
  launch,
  NO_SOURCES,
  newcomer,
  pricetape,
  processesOn,
  startUntilReady,
  untilGone,
} from '../../support/installation.ts'
import { localTemporal } from '../../support/servers/temporal.ts'

describe('npm start with servers of one’s own', () => {
  const db = testDatabase()
  const second = testDatabase()
  const temporal = localTemporal()
  const namespace = `journey-${randomBytes(4).toString('hex')}`
  let here: Awaited<ReturnType<typeof newcomer>>
  /** What `--role migrate` printed, which runs once before everything else. */
  let migrated: string

  beforeAll(async () => {
    here = await newcomer()
    Object.assign(here.env, {
      DATABASE_URL: db.url,
      TEMPORAL_ADDRESS: temporal.env.address,
      TEMPORAL_NAMESPACE: namespace,
      PRICETAPE_SECRET_KEY: randomBytes(32).toString('base64'),
      PRICETAPE_TEMPORAL_BINARY: '/nonexistent/none-is-needed',
    })
    const day = 86_400
    await temporal.env.connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: day as never },
    })
    await vi.waitFor(() => temporal.env.connection.workflowService.describeNamespace({ namespace }), {
      timeout: 60_000,
      interval: 250,
    })
    const job = await launch('src/main.js', ['--role', 'migrate'], here.env)
    expect(await job.exited, job.said()).toBe(0)
    migrated = job.said()
  })
  afterAll(async () => {
    expect(await untilGone(here.folder)).toEqual([])
    await here.remove()
  })

  it('readies the database and Temporal once for all processes, and shows the first key', async () => {
    expect(migrated).toMatch(/API key, shown this once: ptk_/)
    const { customAttributes } = await temporal.env.connection.operatorService.listSearchAttributes({ namespace })
    expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(['WebhookId', 'DeliveryStatus']))
  })

  it('runs everything on them, starting no server', async () => {
    const running = await startUntilReady(here.env)
    try {
      expect(running.said()).not.toContain('prices recorded')
      expect((await readdir(here.data)).filter((name) => /postgres|temporal/.test(name))).toEqual([])
      const checked = await pricetape(here.env, 'check', '--json')
      expect(checked.code, checked.said).toBe(0)
      expect((await fetch(`http://127.0.0.1:${here.env.PORT}/readyz`)).status).toBe(200)
    } finally {
      expect(await running.stop('SIGTERM')).toBe(0)
    }
  })

  it('ends with one sentence when another installation has the Temporal namespace', async () => {
    await createWorkspace(second.sql, { name: 'In use' })
    const own = {
      DATABASE_URL: second.url,
      PRICETAPE_DATA_DIR: join(here.folder, 'second'),
      PRICETAPE_SOURCES: NO_SOURCES,
    }
    const env = { ...here.env, ...own }
    const started = await launch('src/main.js', [], env)
    expect(await started.exited, started.said()).toBe(1)
    expect(started.said().match(/belongs to another installation of Pricetape/g)).toHaveLength(1)
    expect(started.said()).toMatch(
      /Temporal's namespace journey-\w+ belongs to .*Set TEMPORAL_NAMESPACE to a namespace of its own\. .*--schedule-id check\n$/,
    )
    expect(started.said()).not.toMatch(/unexpected fault|started again/)
    expect(await processesOn(env.PRICETAPE_DATA_DIR)).toEqual([])
  })

  it('refuses a key that does not open the webhook secrets in the database', async () => {
    const create = ['webhook', 'create', '--name', 'Mine', '--url', 'http://127.0.0.1:9/', '--json']
    const made = await pricetape({ ...here.env, PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true' }, ...create)
    expect(made.code, made.said).toBe(0)
    const other = { ...here.env, PRICETAPE_SECRET_KEY: randomBytes(32).toString('base64') }
    const started = await launch('src/main.js', ['--role', 'migrate'], other)
    expect(await started.exited).toBe(1)
    expect(started.said()).toMatch(/1 webhook secret in this database was sealed with another key/)
  })
})
