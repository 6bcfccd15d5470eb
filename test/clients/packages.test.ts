import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import { readKeys } from '../../src/proof/keys/read-keys.ts'
import { signedHeaders } from '../../src/webhooks/attempts/signing.ts'
import { keep } from '../exports/support.ts'
import { models } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { listeningApi } from '../support/clients.ts'
import { snippet } from '../support/code/snippets.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders } from '../support/prices.ts'
import { lacks } from '../support/suite/needs.ts'

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
    await snapshot(db.sql, 'list', models(5), { at: '2026-03-01T00:00:00.000Z' as Instant })
    await keep(db.sql)
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

  it('the TypeScript package keeps a copy as its README shows', async () => {
    const file = join(FOLDER, 'copy.mjs')
    const copying = await snippet('clients/typescript/README.md', 'copy.set')
    await writeFile(file, `${await example('typescript')}\nconst copy = new Map()\n${copying}\nconsole.log(copy.size)`)
    const { stdout } = await run(process.execPath, [file], { env: { PRICETAPE_API_KEY: api.key } })
    expect(stdout).toMatch(/\n\d+\n$/)
  })

  it('the packages prove a page, and that nothing was rewritten, as their READMEs show', async () => {
    const { verifier } = (await readKeys(db.sql)).keys[0]!
    const filled = async (page: string, holding: string) =>
      (await snippet(page, holding)).replace('prices.example.com/v1/log+…', verifier).replace('openai', 'acme')
    const file = join(FOLDER, 'proof.mjs')
    const proving = await filled('clients/typescript/README.md', 'verifyPage')
    await writeFile(file, `${await example('typescript')}\n${proving}\nconsole.log(page.prices.length, newest.size)`)
    const { stdout } = await run(process.execPath, [file], { env: { PRICETAPE_API_KEY: api.key } })
    expect(stdout).toMatch(/\n10 13\n$/)
    if (lacks("Python's cryptography")) return
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, PYTHONPATH: join(ROOT, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' }
    const python = `${await example('python')}\n${await filled('clients/python/README.md', 'verify_page')}`
    const printed = await run('python3', ['-s', '-c', `${python}\nprint(len(page["prices"]), newest.size)`], {
      env: { ...env, PRICETAPE_API_KEY: api.key },
    })
    expect(printed.stdout).toMatch(/\n10 13\n$/)
  })

  it('the packages price a usage, as their READMEs show', async () => {
    const usage = { prompt_tokens: 5, prompt_tokens_details: { cached_tokens: 2 } }
    const file = join(FOLDER, 'cost.mjs')
    const pricing = (await snippet('clients/typescript/README.md', 'openAiItems')).replace(
      "alias: 'gpt-5'",
      "providers: ['openai']",
    )
    await writeFile(file, `${await example('typescript')}\nconst answer = ${JSON.stringify({ usage })}\n${pricing}`)
    const { stdout } = await run(process.execPath, [file], { env: { PRICETAPE_API_KEY: api.key } })
    // Five tokens at 3 USD, cached ones at the price of input, two million times.
    expect(stdout).toContain("\n1 openai { USD: '30000000' } [] 2")
    if (lacks('Python 3.9')) return
    const python = (await snippet('clients/python/README.md', 'openai_items')).replace(
      'alias="gpt-5"',
      'providers=["openai"]',
    )
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, PYTHONPATH: join(ROOT, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' }
    const code = `${await example('python')}\nanswer = ${JSON.stringify({ usage })}\n${python}`
    const printed = await run('python3', ['-s', '-c', code], { env: { ...env, PRICETAPE_API_KEY: api.key } })
    expect(printed.stdout).toContain("\n1 openai {'USD': '30000000'} [] 2")
  })

  it('the packages verify a webhook as their READMEs show', async () => {
    const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
    const body = JSON.stringify({
      version: 'price-change.v1',
      resource: 'm',
      previous: { price: '2' },
      current: { price: '3' },
    })
    const headers = signedHeaders({ id: 'evt_1', secrets: [secret], at: Date.now(), body })
    const filled = async (page: string, holding: string) => (await snippet(page, holding)).replace('whsec_…', secret)
    const file = join(FOLDER, 'verified.mjs')
    const script = await filled('clients/typescript/README.md', 'verifyWebhook')
    await writeFile(
      file,
      `const rawBody = ${JSON.stringify(body)}, request = { headers: ${JSON.stringify(headers)} }\n${script}`,
    )
    expect((await run(process.execPath, [file])).stdout).toBe('m 2 → 3\n')
    if (lacks('Python 3.9')) return
    const python = `import types
raw_body, request = ${JSON.stringify(body)}.encode(), types.SimpleNamespace(headers=${JSON.stringify(headers)})
${await filled('clients/python/README.md', 'verify_webhook')}
print(event["resource"])`
    const env = { PATH: process.env.PATH, PYTHONPATH: join(ROOT, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' }
    expect((await run('python3', ['-s', '-c', python], { env })).stdout).toBe('m\n')
  })

  it('the TypeScript package verifies webhooks through its second entry point', async () => {
    const file = join(FOLDER, 'webhooks.mjs')
    await writeFile(
      file,
      `import { verifyWebhook, WebhookVerificationError } from 'pricetape-client/webhooks'
       try { verifyWebhook('{}', {}, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD') } catch (error) {
         console.log(error instanceof WebhookVerificationError)
       }`,
    )
    expect((await run(process.execPath, [file])).stdout).toBe('true\n')
  })

  it.skipIf(lacks('Python 3.9'))('the Python package runs the example of its README (needs Python 3.9)', async () => {
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, PYTHONPATH: join(ROOT, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' }
    const copying = await snippet('clients/python/README.md', 'copy.update')
    const { stdout } = await run('python3', ['-s', '-c', `${await example('python')}\ncopy = {}\n${copying}`], {
      env: { ...env, PRICETAPE_API_KEY: api.key },
    })
    expect(stdout).toBe('m input_tokens 3 USD 2026-08-01T00:00:00.000Z\n')
  })
})
