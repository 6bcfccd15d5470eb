import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dataFolder } from '../../src/embedded/data-folder.ts'
import { settleSecretKey } from '../../src/embedded/settle-secret-key.ts'
import { keyId } from '../../src/lib/seal.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { newcomer } from '../support/installation.ts'
import { addWorkspace, everyType } from '../support/webhooks/subscriptions.ts'

const key = () => randomBytes(32).toString('base64')
const idOf = (secretKey: string) => keyId(Buffer.from(secretKey, 'base64'))

describe('secrets.json, when the key that seals webhook secrets is changed', () => {
  const db = testDatabase({ each: true })
  let here: Awaited<ReturnType<typeof newcomer>>
  let [old, next] = ['', '']
  beforeEach(async () => {
    here = await newcomer()
    ;[old, next] = [key(), key()]
    await mkdir(here.data, { recursive: true })
    await keep({ secretKey: old })
    await sealOne(old)
  })
  afterEach(() => here.remove())

  const file = () => join(here.data, 'secrets.json')
  const keep = (keys: object) => writeFile(file(), JSON.stringify({ postgresPassword: 'p', ...keys }), { mode: 0o600 })
  const kept = async () => JSON.parse(await readFile(file(), 'utf8'))
  const sealedWith = async () =>
    (await db.sql<{ id: string }[]>`select distinct key_id as id from webhook_secret order by 1`).map(({ id }) => id)
  async function sealOne(secretKey: string): Promise<void> {
    const tools = { secretKey: Buffer.from(secretKey, 'base64'), checkUrl: async () => {} }
    const body = { name: 'hook', url: 'https://hooks.example.com/', eventTypes: [...everyType], providers: ['*'] }
    await createWebhook(db.sql, tools, await addWorkspace(db.sql), body)
  }
  const reseal = () =>
    command({ ...here.env, DATABASE_URL: db.url, PRICETAPE_SECRET_KEY: next }, 'secrets', 'reseal', '--json')
  /** What the next start of npm start does before anything reads a secret. */
  const nextStart = () => settleSecretKey(dataFolder(here.data), db.url)

  it('holds the new key afterwards, readable by its owner alone: a copy of it opens every secret', async () => {
    expect(await reseal()).toMatchObject({ code: 0 })
    expect(await sealedWith()).toEqual([idOf(next)])
    expect(await kept()).toMatchObject({ postgresPassword: 'p', secretKey: next })
    expect((await stat(file())).mode & 0o777).toBe(0o600)
    expect(await nextStart()).toBe(next)
    expect(await kept()).toEqual({ postgresPassword: 'p', secretKey: next })
  })

  it('refuses the change where the file cannot be written, and nothing is sealed with the new key', async () => {
    await mkdir(`${file()}.new`)
    const { code, said } = await reseal()
    expect([code, said.trim()]).toEqual([
      1,
      expect.stringMatching(/secrets\.json cannot be written .*Nothing was changed/),
    ])
    expect(await sealedWith()).toEqual([idOf(old)])
    await rm(`${file()}.new`, { recursive: true })
    expect(await kept()).toEqual({ postgresPassword: 'p', secretKey: old })
  })

  it('is not touched where one of the secrets was sealed with a key that is not known', async () => {
    await sealOne(key())
    expect(await reseal()).toMatchObject({ code: 1 })
    expect(await kept()).toEqual({ postgresPassword: 'p', secretKey: old })
    expect(await sealedWith()).toContain(idOf(old))
  })

  it('names both keys where the change was killed before the database had it: the start uses the old one', async () => {
    await keep({ secretKey: old, otherSecretKeys: [next] })
    expect(await nextStart()).toBe(old)
  })

  it('names both keys where the change was killed after the database had it: the start uses the new one', async () => {
    expect(await reseal()).toMatchObject({ code: 0 })
    await keep({ secretKey: old, otherSecretKeys: [next] })
    expect(await nextStart()).toBe(next)
    expect(await kept()).toEqual({ postgresPassword: 'p', secretKey: next })
  })

  it('keeps the old key until the next start, which seals what a running process has sealed with it meanwhile', async () => {
    expect(await reseal()).toMatchObject({ code: 0 })
    await sealOne(old)
    expect(await nextStart()).toBe(next)
    expect(await sealedWith()).toEqual([idOf(next)])
  })

  it('of another database is left alone', async () => {
    const foreign = key()
    await keep({ secretKey: foreign })
    const env = { ...here.env, DATABASE_URL: db.url, PRICETAPE_SECRET_KEY: next, PRICETAPE_OLD_SECRET_KEYS: old }
    expect(await command(env, 'secrets', 'reseal')).toMatchObject({ code: 0 })
    expect(await sealedWith()).toEqual([idOf(next)])
    expect(await kept()).toEqual({ postgresPassword: 'p', secretKey: foreign })
  })
})
