import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { GROUPS } from '../../src/cli/groups.ts'
import { DAY, instantOf } from '../../src/lib/instant.ts'
import { model, models } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { addAccount, addOperator } from '../support/accounts.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { addDeliveries } from '../support/webhooks/deliveries.ts'
import { addWebhook, tools } from '../support/webhooks/subscriptions.ts'
import { declareDocument, fetches } from '../terms/ingest/pages.ts'
import { replaceIn, TERMS } from '../terms/texts.ts'

/** Commands whose output is tested elsewhere, and where. */
const ELSEWHERE: Record<string, string> = {
  backup: 'test/journeys/start/start.test.ts: it needs the database of an installation',
  check: 'test/cli/text.test.ts, test/journeys/start/start.test.ts: it needs an installation',
  'source collect': 'test/cli/text.test.ts, test/cli/terms-commands.test.ts: it fetches',
  'terms check': 'test/cli/terms-commands.test.ts: it fetches',
  receiver: 'test/journeys/examples.test.ts: it runs until it is stopped',
  mcp: 'test/mcp: it speaks a protocol',
  cost: 'test/cli/cost-command.test.ts: it asks through the API',
  reprice: 'test/cli/reprice-command.test.ts: it asks through the API',
  export: 'test/exports/command.test.ts: it writes a file',
  'audit export': 'test/audit/export.test.ts: it prints lines, or writes a file',
  'account link': 'test/cli/account-commands.test.ts: it prints one link',
  'secrets database-password': 'test/cli/secrets-commands.test.ts: it refuses here',
  'secrets reseal': 'test/cli/webhook-commands.test.ts: it needs two keys',
}
/** They print someone's text, which is broken on a terminal alone. */
const AS_IT_IS = ['terms show', 'terms diff']
const LONG = 'a name that someone chose, with many words, as long as names may be'
const EMAIL = 'someone.with.a.long.address@department.example.com'
const daysAgo = (n: number) => instantOf(Date.now() - n * DAY)

type TypedCommand = { args: string[]; json: string[] }

describe('every command', () => {
  const db = testDatabase()
  const temporal = localTemporal()
  const run = (...args: string[]) =>
    command(
      {
        DATABASE_URL: db.url,
        TEMPORAL_ADDRESS: temporal.env.address,
        PRICETAPE_SECRET_KEY: Buffer.from(tools.secretKey).toString('base64'),
        PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true',
        PRICETAPE_DATA_DIR: join(tmpdir(), 'pricetape-nothing-runs-here'),
      },
      ...args,
    )
  const commands: string[] = []
  const typed = new Map<string, TypedCommand>()
  const lists = new Map<string, Command>()
  /** What is typed once for people and once for programs: with the same words, or on two things that are alike. */
  const type = (name: string, args: string[] = [], json = args) => typed.set(name, { args, json })

  beforeAll(async () => {
    for (const [name, load] of Object.entries(GROUPS)) {
      const group = await load()
      for (const sub of group.commands) lists.set(`${name} ${sub.name()}`, sub)
      if (group.commands.length === 0) lists.set(name, group)
    }
    commands.push(...lists.keys())
    await fill()
  })

  const answer = async <T>(...args: string[]): Promise<T> => JSON.parse((await run(...args, '--json')).said) as T

  /** Makes two of everything, so that a command can be typed twice. */
  async function fill(): Promise<void> {
    // What is published is published in the order of time.
    const at = fetches(db.sql, await declareDocument(db.sql, 'terms'))
    const changed = replaceIn(TERMS, '30 days notice', '14 days notice')
    const version = (await at(0, TERMS)).versionId!
    await at(6, changed)
    const next = (await at(31, changed)).versionId!
    const providers = ['acme', 'globex', 'initech', 'umbrella']
    const priced = (input: number) =>
      providers.flatMap((provider) => [...models(8, { provider }), ...model('held', input, { provider })])
    await snapshot(db.sql, 'list', priced(0.000002), { at: daysAgo(9) })
    await snapshot(db.sql, 'list', priced(0.002), { at: daysAgo(8) })
    const { workspaceId } = await addOperator(db.sql)
    await addAccount(db.sql, EMAIL)
    const hooks = []
    for (let n = 0; n < 2; n++)
      hooks.push(await addWebhook(db.sql, workspaceId, { name: LONG, url: `https://hooks.example.com/${n}` }))
    const [deliveryId] = await addDeliveries(db.sql, { workspaceId, id: hooks[0]! }, { at: daysAgo(1) })
    await db.sql`update delivery set status = 'failed', finished_at = now() where delivery_id = ${deliveryId!}`
    const items = (await answer<{ items: { id: string }[] }>('review', 'list')).items.map(({ id }) => id)
    expect(items).toHaveLength(4)
    const published = await db.sql<{ hash: string }[]>`
      select content_hash as hash from price_row join price_line using (line_id) where resource like 'filler-%' order by 1`
    const rows = published.map(({ hash }) => hash)
    type('key create', ['--name', LONG], ['--name', 'Other'])
    type('key list')
    type('key allow', [LONG, '--from', '203.0.113.0/24'])
    type('key delete', [LONG], ['Other'])
    type('workspace create', ['--name', `${LONG} 1`], ['--name', `${LONG} 2`])
    type('workspace list')
    type('workspace quota', [`${LONG} 1`, '--webhooks', '5'])
    type('workspace rename', [`${LONG} 1`, 'One'], [`${LONG} 2`, 'Two'])
    type('workspace delete', ['One'], ['Two'])
    type('account list')
    type('account join', [EMAIL])
    type('account operator', [EMAIL])
    for (const name of ['reset-codes', 'reset-passkeys', 'unlink', 'disable', 'enable'])
      type(`account ${name}`, [EMAIL])
    type('webhook create', ['--name', LONG, '--url', 'http://127.0.0.1:9/'])
    for (const name of ['list', 'failing']) type(`webhook ${name}`)
    type('webhook update', [hooks[0]!, '--name', `${LONG}.`])
    for (const name of ['pause', 'resume', 'test', 'rotate', 'reveal']) type(`webhook ${name}`, [hooks[0]!])
    type('delivery list', [hooks[0]!])
    type('delivery resend', [deliveryId!])
    type('webhook delete', [hooks[0]!], [hooks[1]!])
    await db.sql`
      with old as (
        insert into source (source, kind, format, interval_seconds, declared, undeclared_at)
        select 'a-source-with-a-long-name-' || n, 'prices', 'curated', 3600, false, now() from generate_series(1, 2) as n
        returning source
      )
      insert into resource (source, provider, resource, first_priced_at) select source, 'acme', 'old', now() from old`
    type('source list')
    type('source end', ['a-source-with-a-long-name-1'], ['a-source-with-a-long-name-2'])
    type('alias save', [`${LONG} 1`, 'acme:held'], [`${LONG} 2`, 'globex:held'])
    for (const name of ['list', 'propose']) type(`alias ${name}`)
    type('alias accept', ['--all'])
    type('alias delete', [`${LONG} 1`], [`${LONG} 2`])
    type('review list')
    type('review show', [items[0]!])
    type('review approve', [items[0]!], [items[1]!, '--dry-run'])
    type('review reject', [items[1]!], [items[2]!, '--dry-run'])
    const edit = async (id: string) => {
      const { lines } = await answer<{ lines: { contentHash: string }[] }>('review', 'show', id)
      return [id, ...lines.map(({ contentHash }) => `${contentHash}=0.000003`)]
    }
    type('review edit', await edit(items[2]!), await edit(items[3]!))
    const reason = ['--reason', LONG]
    type('price withdraw', [rows[0]!, ...reason], [rows[1]!, ...reason])
    type('price restore', [rows[0]!, ...reason], [rows[1]!, ...reason])
    const price = ['--price', '0.000004', ...reason]
    type('price correct', [rows[4]!, ...price], [rows[5]!, ...price])
    await db.sql`
      insert into contradicted_line (line_id, price, other_price, sources, since)
      select line_id, price, price * 2, array['a-source-with-a-long-name-1', 'another-source-with-a-long-name'], now()
      from price_row where content_hash = ${rows[2]!}`
    type('price contradicted')
    type('price accuracy', ['--measure'])
    type('price evidence', [rows[2]!])
    type('terms list')
    type('terms show', [version])
    type('terms diff', [next])
    for (const name of [
      'log append',
      'secrets log-key',
      'verify',
      'secrets cursor-key',
      'secrets sessions',
      'restored',
      'clock accept',
      'doctor',
    ])
      type(name)
  }

  it('is typed below, or says where its output is tested', () => {
    expect([...typed.keys(), ...Object.keys(ELSEWHERE)].sort()).toEqual([...commands].sort())
  })

  it('has help that fits 80 columns', () => {
    for (const [name, of] of lists) expect([name, tooWide(of.helpInformation())]).toEqual([name, []])
  })

  it('prints text that fits 80 columns, and with --json one value and nothing else', async () => {
    const problems: string[] = []
    for (const [name, { args, json }] of typed) {
      const words = name.split(' ')
      const text = await run(...words, ...args)
      // The doctor looks at this machine.
      if (text.code !== 0 && name !== 'doctor') problems.push(`${name} ended with ${text.code}: ${text.said}`)
      if (!AS_IT_IS.includes(name)) problems.push(...tooWide(text.said).map((line) => `${name} is too wide: ${line}`))
      const { said } = await run(...words, ...json, '--json')
      if (!isOneValue(said)) problems.push(`${name} --json printed ${said}`)
    }
    expect(problems).toEqual([])
  })

  /** Lines that could have been broken: between words, where they are not indented to be copied. */
  const tooWide = (text: string): string[] =>
    text.split('\n').filter((line) => line.length > 80 && !line.startsWith('    ') && / \S/.test(line.trim()))

  function isOneValue(said: string): boolean {
    try {
      return typeof JSON.parse(said) === 'object' && said.endsWith('\n')
    } catch {
      return false
    }
  }
})
