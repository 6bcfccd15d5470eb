import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { prepareFirstStart } from '../../src/roles/first-start.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { launch, newcomer, pricetape } from '../support/installation.ts'

describe('commands that cannot do what they are asked', () => {
  const db = testDatabase()
  let here: Awaited<ReturnType<typeof newcomer>>
  beforeAll(async () => {
    here = await newcomer()
    here.env.DATABASE_URL = db.url
    here.env.TEMPORAL_ADDRESS = '127.0.0.1:9'
    await migrate(db.sql)
    const secretKey = randomBytes(32)
    await prepareFirstStart(db.sql, {
      secretKey,
      sourcesFile: 'test/support/no-sources.json',
      progress: { say: () => {} },
    })
  })
  afterAll(() => here.remove())

  /** Runs a command that has to fail with status 1 and one sentence. */
  async function refused(args: string[], run: typeof pricetape = command): Promise<string> {
    const { code, said } = await run(here.env, ...args)
    expect(code, said).toBe(1)
    expect(said).not.toMatch(/unexpected fault|\n\s+at /)
    return said.trim()
  }

  it('refuse to seal a secret without the key with status 1, and write nothing', async () => {
    const create = ['webhook', 'create', '--name', 'Mine', '--url', 'https://example.com/']
    expect(await refused(create, pricetape)).toMatch(/set PRICETAPE_SECRET_KEY/)
    expect(await readdir(here.folder)).toEqual([])
    expect(await db.sql`select from webhook`).toHaveLength(0)
  })

  it('refuse to start on a database of one’s own without the key, and write nothing', async () => {
    const started = await launch('src/main.js', [], here.env)
    expect(await started.exited).toBe(1)
    expect(started.said().trim()).toMatch(
      /^DATABASE_URL names a database of your own, so PRICETAPE_SECRET_KEY must be set/,
    )
    expect(await readdir(here.folder)).toEqual([])
  })

  it.each(['nope', 'constructor'])('say that there is no command %s', async (name) => {
    expect(await refused([name])).toMatch(new RegExp(`^error: unknown command '${name}'`))
  })

  it('refuse an unknown source, webhook, delivery, workspace and review item in one sentence', async () => {
    expect(await refused(['source', 'collect', 'nope'])).toBe('There is no source nope. See: npx pricetape source list')
    expect(await refused(['source', 'end', 'nope'])).toBe('There is no source nope. See: npx pricetape source list')
    expect(await refused(['webhook', 'pause', 'nope'])).toMatch(/^There is no webhook nope\./)
    expect(await refused(['delivery', 'resend', 'nope'])).toMatch(/^There is no delivery nope\./)
    expect(await refused(['key', 'create', '--name', 'K', '--workspace', 'nope'])).toMatch(
      /^There is no workspace nope\./,
    )
    expect(await refused(['review', 'show', 'nope'])).toMatch(/^nope does not wait for a decision/)
  })

  it('refuse a limit that is not a number', async () => {
    expect(await refused(['review', 'list', '--limit', 'abc'])).toMatch(
      /'abc' is invalid.*Write a whole number, 1 or more/,
    )
  })

  it('read .env in the current folder, and print JSON alone', async () => {
    const folder = join(here.folder, 'cwd')
    await mkdir(folder)
    await writeFile(join(folder, '.env'), `DATABASE_URL=${db.url}\n`)
    const { DATABASE_URL: _url, ...env } = here.env
    const started = await launch('bin/pricetape.js', ['key', 'list', '--json'], env, folder)
    expect(await started.exited, started.said()).toBe(0)
    expect(JSON.parse(started.said()).keys).toHaveLength(1)
    await rm(folder, { recursive: true })
  })
})
