import { beforeEach, describe, expect, it } from 'vitest'
import { providerDirectory } from '../../src/catalog/search/directory-store.ts'
import { DAY, instantOf, plus } from '../../src/lib/instant.ts'
import { model, models, observed } from '../prices/observed.ts'
import { eventsOf, priceNow, snapshot } from '../prices/support.ts'
import { addAccount, addOperator } from '../support/accounts.ts'
import { testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { EMPTY } from '../support/empty.ts'
import { addWebhook } from '../support/webhooks/subscriptions.ts'

type Item = { id: string; revision: string; provider: string; question: string }
type Line = { contentHash: string; name: string; price: string; publishedPrice: string; change: string }

describe('operators in the app', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  let session: string
  const read = async <T>(path: string) => (await app.send(`GET /v1/operator/${path}`, { session })).json as T
  const post = (path: string, body: object) => app.send(`POST /v1/operator/${path}`, { session, body })
  const daysAgo = (n: number) => instantOf(Date.now() - n * DAY)
  const queue = async (query = '') => (await read<{ items: Item[] }>(`review${query}`)).items

  /** A price that is held: a thousand times too high. */
  async function hold(provider: string, resource: string, days: number) {
    const priced = (input: number) => [...models(8, { provider }), ...model(resource, input, { provider })]
    await snapshot(db.sql, `list-${provider}`, priced(0.000002), { at: daysAgo(days + 1) })
    await snapshot(db.sql, `list-${provider}`, priced(0.002), { at: daysAgo(days) })
  }
  beforeEach(async () => {
    session = (await addOperator(db.sql)).sessionToken
  })

  it('see what waits with its evidence, and filter it', async () => {
    await hold('old', '<b>a</b>', 9)
    await hold('new', 'c', 2)
    const listed = await read<{ items: Item[]; matching: number; all: object }>('review?olderThan=3d')
    expect(listed).toMatchObject({ matching: 1, items: [{ provider: 'old', rows: 2 }] })
    expect(listed.all).toMatchObject({ waiting: 2, kinds: [{ value: 'price', count: 2 }] })
    expect(listed.all).toMatchObject({
      reasons: expect.arrayContaining([{ value: 'power_of_ten', name: 'power of ten', count: 2 }]),
    })
    expect(await queue('?provider=new&reason=power_of_ten')).toHaveLength(1)
    expect(await queue('?resource=c&provider=old')).toEqual([])
    const { lines, beside } = await read<{ lines: Line[]; beside: object[] }>(`review/${listed.items[0]!.id}`)
    expect(lines[0]).toMatchObject({ name: 'input tokens', publishedPrice: '0.000002', price: '0.002' })
    expect(lines[0]).toMatchObject({
      change: '+99,900%',
      reasons: expect.arrayContaining([expect.stringMatching(/differ by a power of ten/)]),
      facts: expect.arrayContaining(['The published price 2 is plausible.']),
    })
    expect(beside).toMatchObject([{ resource: '<b>a</b>', neighbours: [{ sameResource: true }] }])
  })

  it('filter what waits by its age, and are told how many there are where not all are listed', async () => {
    await db.sql`insert into source (source, kind, format, interval_seconds) values ('list', 'prices', 'x', 300)`
    await db.sql`insert into provider (provider, name, created_at) values ('acme', 'Acme', now())`
    const opened = (name: string, ...ages: string[]) => db.sql`
      insert into review (source, provider, kind, reasons, detail, opened_at)
      select 'list', 'acme', 'removal', '{gone}', ${db.sql.json({ resources: [name] })}, now() - age::interval
      from unnest(${ages}::text[]) age`
    const hours = { '1h': 1, '12h': 12, '1d': 24, '3d': 72, '7d': 168 }
    for (const [age, count] of Object.entries(hours)) await opened(age, `${count} h 5 min`, `${count} h -5 min`)
    const older = await Promise.all(Object.keys(hours).map(async (age) => (await queue(`?olderThan=${age}`)).length))
    expect(older).toEqual([9, 7, 5, 3, 1])
    await opened('many', ...Array(91).fill('5 min'))
    const listed = await read<{ items: Item[]; matching: number }>('review?kind=removal')
    expect([listed.items.length, listed.matching]).toEqual([100, 101])
    expect(await read('review?olderThan=1h')).toMatchObject({ matching: 9, all: { waiting: 101 } })
    expect((await app.send('GET /v1/app/overview', { session })).json.waiting).toBe(101)
  })

  it('preview and decide items like the command; one that was decided meanwhile is explained and stops no other', async () => {
    await hold('old', 'a', 9)
    await hold('new', 'c', 2)
    const ids = (await queue()).map(({ id }) => id)
    const body = { ids, decision: 'approve', reason: 'announced' }
    const preview = await post('review/decisions', { ...body, dryRun: true })
    expect(preview.json).toMatchObject({ events: { 'price.changed': 4 } })
    expect(await queue()).toHaveLength(2)
    expect((await post('review/decisions', { ...body, ids: [ids[0]] })).json).toMatchObject({
      events: { 'price.changed': 2 },
    })
    const second = await post('review/decisions', { ...body, decision: 'reject' })
    const closed = { decision: 'approved', decidedBy: 'olga@example.com', reason: 'announced' }
    expect(second.json).toMatchObject({
      decided: [
        { id: ids[0], problem: /./, closed },
        { id: ids[1], events: EMPTY },
      ],
    })
    expect(await read(`review/${ids[0]}`)).toMatchObject({ closed })
    expect([await priceNow(db.sql, 'a'), await priceNow(db.sql, 'c')]).toEqual(['0.002', '0.000002'])
    const { entries } = await read<{ entries: object[] }>('audit')
    expect(entries.slice(0, 3)).toMatchObject([
      { action: 'review_rejected', subject: ids[1] },
      { action: 'review_approved', subject: ids[0], email: 'olga@example.com', detail: { reason: 'announced' } },
      { action: 'signed_in' },
    ])
  })

  it('decide what they were shown: what changed meanwhile is named, and stops no other', async () => {
    await hold('old', 'a', 9)
    await hold('new', 'c', 2)
    const shown = await queue()
    const ids = shown.map(({ id }) => id)
    const revisions = Object.fromEntries(shown.map(({ id, revision }) => [id, revision]))
    expect((await read<{ item: Item }>(`review/${ids[0]}`)).item.revision).toBe(shown[0]!.revision)
    const body = { ids, decision: 'approve', reason: 'announced' }
    const forgotten = await post('review/decisions', { ...body, revisions: { [ids[0]!]: shown[0]!.revision } })
    expect([forgotten.status, forgotten.code, forgotten.field]).toEqual([400, 'invalid_body', 'revisions'])
    await snapshot(db.sql, 'list-old', [...models(8, { provider: 'old' }), ...model('a', 0.02, { provider: 'old' })], {
      at: daysAgo(1),
    })
    const [changed] = (await queue()).filter(({ provider }) => provider === 'old')
    const preview = await post('review/decisions', { ...body, ids: [changed!.id, ids[1]], dryRun: true })
    expect(preview.json).toMatchObject({
      decided: [{ revision: changed!.revision }, { revision: shown[1]!.revision }],
    })
    // The item of the first price ended with it, and another one waits: what grew in place is refused.
    await db.sql`
      update price_line set held_hash = current_hash where provider = 'new' and dimension = 'output_tokens' and resource = 'c'`
    const later = { ids: [changed!.id, ids[1]], revisions: { ...revisions, [changed!.id]: changed!.revision } }
    for (const dryRun of [true, false])
      expect((await post('review/decisions', { ...body, ...later, dryRun })).json).toEqual({
        decided: [
          { id: changed!.id, revision: changed!.revision, events: { 'price.changed': 2 } },
          { id: ids[1], events: EMPTY, code: 'review_changed', problem: expect.stringMatching(/since you saw it/) },
        ],
        events: { 'price.changed': 2 },
      })
    expect(await queue()).toMatchObject([{ id: ids[1] }])
    expect([await priceNow(db.sql, 'a'), await priceNow(db.sql, 'c')]).toEqual(['0.02', '0.000002'])
  })

  it('see the events of items that share prices once: the prices of a resource are decided together', async () => {
    const priced = (input: number, output: number) => [
      ...models(8, { provider: 'old' }),
      observed('a', 'input_tokens', String(input), { provider: 'old' }),
      observed('a', 'output_tokens', String(output), { provider: 'old' }),
    ]
    await snapshot(db.sql, 'list-old', priced(0.000002, 0.000008), { at: daysAgo(3) })
    await snapshot(db.sql, 'list-old', priced(0.002, 0.000008), { at: daysAgo(2) })
    await snapshot(db.sql, 'list-old', priced(0.002, 0.008), { at: daysAgo(1) })
    const items = await queue()
    expect(items).toHaveLength(2)
    const ids = items.map(({ id }) => id)
    const body = { ids, decision: 'approve', reason: 'announced' }
    const together = expect.stringContaining('shares prices with another of these items')
    const previewed = {
      decided: [
        { id: ids[0], revision: items[0]!.revision, events: { 'price.changed': 2 } },
        { id: ids[1], events: EMPTY, problem: together },
      ],
      events: { 'price.changed': 2 },
    }
    expect((await post('review/decisions', { ...body, dryRun: true })).json).toEqual(previewed)
    const other = { ...body, ids: ids.toReversed(), dryRun: true }
    expect((await post('review/decisions', other)).json).toMatchObject({ events: { 'price.changed': 2 } })
    const done = await post('review/decisions', { ...body, ids: [ids[0]] })
    expect(done.json).toMatchObject({ events: { 'price.changed': 2 } })
    expect(await eventsOf(db.sql, 'price.changed', 'old')).toHaveLength(2)
    expect(await queue()).toEqual([])
  })

  it('decide in their own name alone, also when someone else is signed in by the time it is sent', async () => {
    await hold('old', 'a', 9)
    const [item] = await queue()
    const other = await addAccount(db.sql, 'rita@example.com')
    const body = { ids: [item!.id], decision: 'approve', reason: 'announced' }
    const decide = (accountId: string) =>
      app.send('POST /v1/operator/review/decisions', { session, body, headers: { 'pricetape-account': accountId } })
    const refused = await decide(other.accountId)
    expect([refused.status, refused.code, refused.field]).toEqual([401, 'unauthorized', 'pricetape-account'])
    const many = await post('review/decisions', { ...body, ids: Array(201).fill(item!.id) })
    expect([many.status, many.field]).toEqual([400, 'ids'])
    expect(await queue()).toHaveLength(1)
    const [me] = await db.sql`select account_id as id from account where email = 'olga@example.com'`
    expect((await decide(me!.id)).status).toBe(200)
    expect(await queue()).toHaveLength(0)
  })

  it('publish a held price with another value, then correct, withdraw and restore what is published', async () => {
    await hold('old', 'a', 9)
    const [item] = await queue()
    const { lines } = await read<{ lines: Line[] }>(`review/${item!.id}`)
    const edit = { ids: [item!.id], decision: 'edit', reason: 'unit misread' }
    const wrong = await post('review/decisions', {
      ...edit,
      edits: [{ contentHash: lines[0]!.contentHash, price: '1e-6' }],
    })
    expect(wrong.json).toMatchObject({ decided: [{ problem: '1e-6 is not a canonical decimal.' }] })
    const edits = [{ contentHash: lines[0]!.contentHash, price: '0.000003' }]
    expect((await post('review/decisions', { ...edit, edits })).status).toBe(200)
    expect(await priceNow(db.sql, 'a')).toBe('0.000003')

    type Row = { contentHash: string; price: string; dimension: string; newest: boolean; published: boolean }
    type Rows = { rows: Row[] }
    const rows = async () =>
      (await read<Rows>('prices?provider=old&resource=a')).rows.filter((row) => row.dimension === 'input_tokens')
    const [newest] = await rows()
    expect(newest).toMatchObject({ price: '0.000003', newest: true, published: true })
    const corrected = await post(`prices/${newest!.contentHash}/correct`, { price: '0.0000025', reason: 'misread' })
    expect(await priceNow(db.sql, 'a')).toBe('0.0000025')
    const { contentHash } = corrected.json as { contentHash: string }
    await post(`prices/${contentHash}/withdraw`, { reason: 'wrong page' })
    expect(await priceNow(db.sql, 'a')).toBe('0.000002')
    const served = (await rows()).filter(({ published }) => published).map(({ price, newest }) => [price, newest])
    expect(served).toEqual([['0.000002', true]])
    await post(`prices/${contentHash}/restore`, { reason: 'it was right' })
    expect(await priceNow(db.sql, 'a')).toBe('0.0000025')
    expect(await eventsOf(db.sql, 'price.corrected', 'old')).toHaveLength(3)
    expect((await post(`prices/${contentHash}/restore`, { reason: 'again' })).text).toContain('not withdrawn')
    expect((await post(`prices/${contentHash}/withdraw`, { reason: ' ' })).field).toBe('reason')
  })

  it('see sources, what was read, providers and proposals, and save a group unless someone else did', async () => {
    for (const [n, provider] of ['openai', 'azure'].entries())
      await snapshot(db.sql, provider, model('gpt-4o', 0.000002, { provider, canonicalResource: 'openai/gpt-4o' }), {
        at: daysAgo(9 - n),
      })
    await db.sql`update source set last_good_at = clock_timestamp(), problem = 'slow' where source = 'azure'`
    await db.sql`
      insert into source_fetch (source, at, outcome, snapshot_hash, reason, report)
      select 'azure', now(), 'quarantined', hash, 'is not a list', '{"ignored":[{"reason":"no price","count":2,"example":"x"}]}'
      from snapshot limit 1`
    const { sources, offline } = await read<{ sources: object[]; offline: boolean }>('sources')
    expect(offline).toBe(false)
    expect(sources).toMatchObject([
      { source: 'azure', freshness: 'fresh', problem: 'slow', ignored: 2 },
      expect.any(Object),
    ])
    const { outcomes } = await read<{ outcomes: { snapshotHash: string }[] }>('sources/azure')
    expect(outcomes).toMatchObject([{ outcome: 'quarantined', reason: 'is not a list' }])
    expect(await read(`snapshots/${outcomes[0]!.snapshotHash}`)).toMatchObject({
      text: expect.stringContaining('gpt-4o'),
    })
    expect((await post('sources/azure/collect', {})).code).toBe('unavailable')
    const at = daysAgo(3)
    await db.sql`update source set declared = false, undeclared_at = ${at} where source = 'openai'`
    const undeclared = await post('sources/openai/collect', {})
    expect([undeclared.code, undeclared.text]).toEqual(['not_found', expect.stringContaining('openai is not declared')])
    const ends = async (name: string) => (await read<{ source: { endsAt?: string } }>(`sources/${name}`)).source.endsAt
    expect([await ends('azure'), await ends('openai')]).toEqual([undefined, plus(at, 7 * DAY)])
    await db.sql`update source set ended_at = now() where source = 'openai'`
    expect(await ends('openai')).toBeUndefined()
    expect((await post('check', {})).code).toBe('unavailable')
    expect(await read('providers')).toMatchObject({
      providers: [{ provider: 'azure', resources: 1 }, expect.any(Object)],
    })

    // Documents that were read say nothing of prices.
    await db.sql`
      insert into source (source, kind, format, interval_seconds, last_good_at, last_checked_at)
      values ('azure-terms', 'terms', 'terms', 3600, clock_timestamp(), clock_timestamp())`
    await db.sql`insert into source_provider values ('azure-terms', 'azure')`
    await db.sql`update source set last_good_at = now() - interval '9 days' where source = 'azure'`
    const directory = await providerDirectory(db.sql)
    const listed = (await read<{ providers: typeof directory }>('providers')).providers
    const compared = (entries: typeof directory) =>
      entries.map(({ provider, freshness, lastCheckedAt }) => [provider, freshness, lastCheckedAt])
    expect(compared(listed)).toEqual(compared(directory))
    expect(listed).toMatchObject([{ freshness: 'stale', sources: ['azure', 'azure-terms'] }, expect.any(Object)])

    const { proposals } = await read<{ proposals: { name: string; joins: object[] }[] }>('aliases')
    expect(proposals).toMatchObject([{ name: 'gpt-4o', joins: [expect.any(Object), expect.any(Object)] }])
    expect((await post('aliases/accept', { names: ['gpt-4o'] })).json).toEqual({
      saved: [{ name: 'gpt-4o', joined: 2 }],
      skipped: [],
    })
    const { groups } = await read<{ groups: { id: string; revision: number; members: object[] }[] }>('aliases')
    const [group] = groups
    const change = { name: 'GPT-4o', members: group!.members.slice(1), ifRevision: group!.revision }
    const save = () => app.send(`PUT /v1/operator/aliases/${group!.id}`, { session, body: change })
    expect((await save()).json).toMatchObject({ left: [group!.members[0]] })
    expect((await save()).code).toBe('alias_changed')
  })

  it('make others operators, disable them and sign them out, while one operator stays', async () => {
    const mia = await addAccount(db.sql, 'mia@example.com')
    const olga = (await read<{ accounts: { accountId: string }[] }>('accounts')).accounts[0]!.accountId
    const change = (accountId: string, body: object, by = session) =>
      app.send(`PATCH /v1/operator/accounts/${accountId}`, { session: by, body })
    expect((await change(olga, { operator: false })).code).toBe('last_operator')
    expect((await change(olga, { disabled: true })).code).toBe('last_operator')
    await change(mia.accountId, { operator: true })
    expect((await change(olga, { operator: false }, mia.sessionToken)).status).toBe(204)
    expect((await app.send('GET /v1/operator/accounts', { session })).code).toBe('forbidden')
    const ended = await app.send(`DELETE /v1/operator/accounts/${olga}/sessions`, { session: mia.sessionToken })
    expect(ended.json).toEqual({ ended: 1 })
    expect((await app.send('GET /v1/account', { session })).status).toBe(401)
  })

  it('find resources, providers and webhooks by name, the closest first, a page at a time', async () => {
    const names = ['gpt', 'gpt-4', ...Array.from({ length: 12 }, (_, n) => `my-gpt-${n}`)]
    await snapshot(
      db.sql,
      'list',
      names.flatMap((name) => model(name, 0.000002)),
      { at: daysAgo(1) },
    )
    type SearchAnswer = { resources: { resource: string }[]; next: string | null }
    const find = async (query: string) => (await app.send(`GET /v1/search?${query}`, { session })).json as SearchAnswer
    const [workspace] = await db.sql<{ id: string }[]>`select workspace_id as id from workspace`
    await addWebhook(db.sql, workspace!.id, { name: 'my GPT' })
    const first = await find('q=GPT')
    expect(first.resources.slice(0, 3).map(({ resource }) => resource)).toEqual(['gpt', 'gpt-4', 'my-gpt-0'])
    const second = await find(`q=GPT&after=${first.next}`)
    expect([first, second]).toMatchObject([{ webhooks: [{ name: 'my GPT' }] }, { webhooks: [], documents: [] }])
    expect([...first.resources, ...second.resources].map(({ resource }) => resource).sort()).toEqual(names.sort())
    expect(second.next).toBeNull()
    expect((await find('q=11+GPT+my')).resources.map(({ resource }) => resource)).toEqual(['my-gpt-11'])
    expect(await find('q=acme')).toMatchObject({ providers: [{ provider: 'acme' }] })
    expect((await app.send('GET /v1/search?q=a&after=xyz', { session })).field).toBe('after')
  })
})
