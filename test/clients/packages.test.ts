import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import { listeningApi } from '../support/clients.ts'
import { testDatabase } from '../support/database.ts'
import { lacks } from '../support/needs.ts'
import { publish, seedProviders } from '../support/prices.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, `.cache/clients-${process.pid}`)
const PACKAGE = join(FOLDER, 'node_modules/pricetape-client')

describe('the clients as their users install them', () => {
  const db = testDatabase()
  const api = listeningApi(db, { limited: false })

  beforeAll(async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'openai' }])
    await publish(db.sql, [{ provider: 'openai', resource: 'm', price: '2' }], '2026-01-01T00:00:00.000Z' as Instant)
    await publish(db.sql, [{ provider: 'openai', resource: 'm', price: '3' }], '2026-02-01T00:00:00.000Z' as Instant)
    await mkdir(PACKAGE, { recursive: true })
    await run('npx', ['tsc', '-p', 'clients/typescript', '--outDir', join(PACKAGE, 'dist')], { cwd: ROOT })
    await copyFile(join(ROOT, 'clients/typescript/package.json'), join(PACKAGE, 'package.json'))
  })
  afterAll(() => rm(FOLDER, { recursive: true, force: true }))

  /** The first example of a client's README, asking this test's server. */
  async function example(client: string): Promise<string> {
    const text = await readFile(join(ROOT, 'clients', client, 'README.md'), 'utf8')
    return /```(?:ts|python)\n([\s\S]*?)```/.exec(text)![1]!.replace('http://localhost:8080', api.url)
  }

  it('the TypeScript package runs the example of its README in plain Node', async () => {
    const file = join(FOLDER, 'example.mjs')
    await writeFile(file, await example('typescript'))
    const { stdout } = await run(process.execPath, [file], { env: { PRICETAPE_API_KEY: api.key } })
    expect(stdout).toBe('m input_tokens 3 USD 2026-08-01T00:00:00.000Z\n')
  })

  it('the TypeScript package verifies webhooks through its second entry point', async () => {
    const file = join(FOLDER, 'webhooks.mjs')
    await writeFile(
      file,
      `import { verifyWebhook, WebhookVerificationError } from 'pricetape-client/webhooks'
import { lacks } from '../support/needs.ts'
       try { verifyWebhook('{}', {}, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD') } catch (error) {
         console.log(error instanceof WebhookVerificationError)
       }`,
    )
    expect((await run(process.execPath, [file])).stdout).toBe('true\n')
  })

  it.skipIf(lacks('Python 3.9'))('the Python package runs the example of its README (needs Python 3.9)', async () => {
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, PYTHONPATH: join(ROOT, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' }
    const { stdout } = await run('python3', ['-s', '-c', await example('python')], {
      env: { ...env, PRICETAPE_API_KEY: api.key },
    })
    expect(stdout).toBe('m input_tokens 3 USD 2026-08-01T00:00:00.000Z\n')
  })
})
