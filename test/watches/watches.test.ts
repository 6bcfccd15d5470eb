import { beforeEach, describe, expect, it } from 'vitest'
import { deleteAccount } from '../../src/accounts/users/delete-account.ts'
import { setAccountDisabled } from '../../src/accounts/users/set-account-disabled.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { createWatch } from '../../src/watches/create-watch.ts'
import { deleteWatch } from '../../src/watches/delete-watch.ts'
import { editWatch } from '../../src/watches/edit-watch.ts'
import { listWatches } from '../../src/watches/list-watches.ts'
import { watchBody } from '../../src/watches/schema.ts'
import { advanceWatches } from '../../src/watches/watch-store.ts'
import { addAccount, fiftyAtOnce, PASSWORD } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'
import { someoneWaits } from '../support/locks.ts'
import { record } from '../support/webhooks/subscriptions.ts'
import { addCatalogue, changed, documentChanged, MONDAY, plan, planned, watcher } from './support.ts'

const MODEL = { provider: 'openai', resource: 'gpt-5' }
const body = (given: object) => watchBody.parse({ frequency: 'daily', ...given })

describe('what a person watches', () => {
  const db = testDatabase({ each: true })
  beforeEach(() => addCatalogue(db.sql))

  it('is one model, seller, document or group, which has to exist, and is watched once', async () => {
    const { accountId } = await addAccount(db.sql, 'nora@example.com')
    const group = await saveGroup(db.sql, { name: 'GPT-5', members: [MODEL], actor: 'a test' })
    const create = (given: object) => createWatch(db.sql, accountId, body(given))
    for (const subject of [
      MODEL,
      { provider: 'openai' },
      { provider: 'openai', document: 'terms-of-use' },
      { group: group.id },
    ])
      await create(subject)
    expect(await listWatches(db.sql, accountId)).toMatchObject([
      { group: { name: 'GPT-5', deleted: false }, provider: null },
      { provider: 'openai', document: 'terms-of-use', title: 'Terms of use' },
      { provider: 'openai', providerName: 'Openai', resource: null },
      { ...MODEL, providerName: 'Openai', frequency: 'daily', minChange: 0, pausedAt: null },
    ])
    await expect(create(MODEL)).rejects.toMatchObject({ code: 'watch_exists' })
    for (const [field, unknown] of [
      ['provider', { provider: 'nobody' }],
      ['resource', { provider: 'openai', resource: 'gpt-9' }],
      ['document', { provider: 'azure', document: 'terms-of-use' }],
      ['group', { group: '019aa000-0000-7000-8000-000000000000' }],
    ] as const)
      await expect(create(unknown)).rejects.toMatchObject({ code: 'invalid_body', field })
  })

  it.each([{}, { ...MODEL, document: 'terms' }, { group: '019aa000-0000-7000-8000-000000000000', provider: 'openai' }])(
    'is never nothing, and never two things: %j',
    (given) => expect(watchBody.safeParse({ frequency: 'daily', ...given }).success).toBe(false),
  )

  it('needs a confirmed address', async () => {
    const { accountId } = await addAccount(db.sql, 'nora@example.com')
    await db.sql`update account set email_verified_at = null`
    await expect(createWatch(db.sql, accountId, body(MODEL))).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('is at most 50 things, also when many are added at the same time', async () => {
    const { accountId } = await addAccount(db.sql, 'nora@example.com')
    await db.sql`insert into resource (source, provider, resource, first_priced_at)
                 select 'list', 'openai', 'm' || n, now() from generate_series(1, 60) as n`
    for (let n = 1; n <= 10; n++) await createWatch(db.sql, accountId, body({ provider: 'openai', resource: `m${n}` }))
    const counts = await fiftyAtOnce((n) =>
      createWatch(db.sql, accountId, body({ provider: 'openai', resource: `m${n + 11}` })),
    )
    expect(counts).toEqual({ ok: 40, watch_limit: 10 })
  })

  it('is changed, paused and deleted by its owner alone', async () => {
    const nora = await watcher(db.sql, MODEL)
    const other = await watcher(db.sql)
    const [watchId] = nora.ids as [string]
    const own = { accountId: nora.accountId, watchId }
    expect(await editWatch(db.sql, own, { frequency: 'weekly', minChange: 2.5 })).toMatchObject({
      frequency: 'weekly',
      minChange: 2.5,
    })
    expect((await editWatch(db.sql, own, { paused: true })).pausedAt).toMatch(/Z$/)
    for (const foreign of [
      { accountId: other.accountId, watchId },
      { ...own, watchId: 'x' },
    ]) {
      await expect(editWatch(db.sql, foreign, { paused: false })).rejects.toMatchObject({ code: 'not_found' })
      await expect(deleteWatch(db.sql, foreign)).rejects.toMatchObject({ code: 'not_found' })
    }
    await deleteWatch(db.sql, own)
    expect(await listWatches(db.sql, nora.accountId)).toEqual([])
  })

  it('goes with its account', async () => {
    const nora = await watcher(db.sql, MODEL)
    await record(db.sql, changed('2', '1'))
    expect(await plan(db.sql)).toBe(1)
    await deleteAccount(db.sql, nora, PASSWORD)
    for (const table of ['watch', 'outbox_mail']) expect(await db.sql`select from ${db.sql(table)}`).toHaveLength(0)
  })
})

describe('what is mailed of it', () => {
  const db = testDatabase({ each: true })
  beforeEach(() => addCatalogue(db.sql))

  it('is each change of its subject, and no other', async () => {
    const members = [MODEL, { provider: 'azure', resource: 'gpt-5' }, { provider: 'credits', resource: 'gpt-5' }]
    const group = await saveGroup(db.sql, { name: 'GPT-5', members, actor: 'a test' })
    const { ids } = await watcher(
      db.sql,
      MODEL,
      { provider: 'openai' },
      { provider: 'openai', document: 'terms-of-use' },
      { group: group.id },
      { provider: 'credits' },
    )
    const [model, seller, document, grouped, credits] = ids as [string, string, string, string, string]
    await record(
      db.sql,
      changed('2', '1'),
      changed('2', '1', { resources: ['gpt-5-mini'] }),
      changed('2', '1', { provider: 'azure' }),
      changed('2', '1', { provider: 'credits', creditPriced: true }),
      documentChanged,
      { ...documentChanged, document: 'privacy-policy' },
      {
        type: 'resource.removed',
        provider: 'openai',
        payload: { resource: 'gpt-5' },
        resources: ['gpt-5'],
        members: ['gpt-5'],
      },
      // Its amount is the same: programs are told.
      {
        type: 'price.revised',
        provider: 'openai',
        payload: { resource: 'gpt-5' },
        resources: ['gpt-5'],
        members: ['gpt-5'],
      },
    )
    expect(await plan(db.sql)).toBe(5)
    expect(await planned(db.sql)).toEqual({ [model]: 2, [seller]: 5, [document]: 1, [grouped]: 3, [credits]: 1 })
  })

  it('has no smaller price change than was wished for', async () => {
    const { ids } = await watcher(db.sql, { ...MODEL, minChange: 5 })
    await record(db.sql, changed('100', '104.9'), changed('100', '95'), changed('0', '1'))
    await plan(db.sql)
    expect(await planned(db.sql)).toEqual({ [ids[0]!]: 2 })
  })

  it('is one mail for a thousand changes, and nothing where nothing changed', async () => {
    const { ids } = await watcher(db.sql, { provider: 'openai' })
    await record(db.sql, ...Array.from({ length: 1_500 }, () => changed('2', '1')))
    await record(db.sql, changed('2', '1', { provider: 'azure' }))
    expect(await plan(db.sql)).toBe(1)
    expect(await planned(db.sql)).toEqual({ [ids[0]!]: 1_500 })
    const [{ shown }] =
      (await db.sql`select jsonb_array_length(facts #> '{parts,0,seqs}') as shown from outbox_mail`) as [
        { shown: number },
      ]
    expect(shown).toBe(20)
    expect(await plan(db.sql)).toBe(1)
  })

  it('follows a model that is renamed, more than once', async () => {
    const { accountId, ids } = await watcher(db.sql, MODEL)
    const rename = (from: string, to: string) =>
      db.sql`insert into resource_rename (source, provider, old_resource, new_resource, at) values ('list', 'openai', ${from}, ${to}, now())`
    await rename('gpt-5', 'gpt-5.0')
    await rename('gpt-5.0', 'gpt-five')
    await record(db.sql, changed('2', '1', { resources: ['gpt-five'] }))
    await plan(db.sql)
    expect(await planned(db.sql)).toEqual({ [ids[0]!]: 1 })
    expect(await listWatches(db.sql, accountId)).toMatchObject([{ resource: 'gpt-five' }])
  })

  it('is planned once by planners that run at the same time', async () => {
    const { ids } = await watcher(db.sql, MODEL)
    await record(db.sql, changed('2', '1'))
    await Promise.all([plan(db.sql), plan(db.sql), plan(db.sql)])
    expect(await planned(db.sql)).toEqual({ [ids[0]!]: 1 })
  })

  it('is planned by one at a time: another waits until it has ended', async () => {
    const { ids } = await watcher(db.sql, MODEL)
    await record(db.sql, changed('2', '1'))
    let other: Promise<number> | undefined
    await db.sql.begin(async (tx) => {
      await tx`select from watch_plan where frequency = 'at_once' for update`
      other = plan(db.sql)
      await someoneWaits(db.sql)
    })
    expect(await other).toBe(1)
    expect(await planned(db.sql)).toEqual({ [ids[0]!]: 1 })
  })

  it('is not mailed twice when its owner makes it daily while it is planned', async () => {
    const { accountId, ids } = await watcher(db.sql, MODEL)
    await record(db.sql, changed('2', '1'))
    // The planner waits for the account when it has found the changes.
    let edited: Promise<unknown> | undefined
    let planning: Promise<unknown> | undefined
    await db.sql.begin(async (tx) => {
      await tx`select from account where account_id = ${accountId} for update`
      planning = plan(db.sql)
      await someoneWaits(db.sql)
      edited = editWatch(db.sql, { accountId, watchId: ids[0]! }, { frequency: 'daily' })
      await edited
    })
    await planning
    expect(await plan(db.sql, MONDAY)).toBe(1)
    expect(await planned(db.sql)).toEqual({ [ids[0]!]: 1 })
  })

  it('begins when the watch does, and after a pause with what is published from then on', async () => {
    await record(db.sql, changed('2', '1'))
    const { accountId, ids } = await watcher(db.sql, MODEL)
    const own = { accountId, watchId: ids[0]! }
    expect(await plan(db.sql)).toBe(0)
    await editWatch(db.sql, own, { paused: true })
    await record(db.sql, changed('2', '1'))
    expect(await plan(db.sql)).toBe(0)
    await editWatch(db.sql, own, { paused: false })
    await record(db.sql, changed('2', '1'))
    expect(await plan(db.sql)).toBe(1)
    expect(await planned(db.sql)).toEqual({ [ids[0]!]: 1 })
  })

  it('never goes back to what was published before the watch began', async () => {
    await record(db.sql, changed('2', '1'))
    const { ids } = await watcher(db.sql, MODEL)
    const seq = async () =>
      (await db.sql`select after_seq::integer as seq from watch where watch_id = ${ids[0]!}`)[0]!.seq
    const began = await seq()
    const advance = (upTo: number) => db.sql.begin((tx) => advanceWatches(tx, ids, upTo))
    await advance(began - 1)
    expect(await seq()).toBe(began)
    await advance(began + 1)
    expect(await seq()).toBe(began + 1)
  })

  it('loses nothing when it is mailed more often from now on', async () => {
    const { accountId, ids } = await watcher(db.sql, { ...MODEL, frequency: 'weekly' })
    await record(db.sql, changed('2', '1'))
    expect(await plan(db.sql)).toBe(0)
    await editWatch(db.sql, { accountId, watchId: ids[0]! }, { frequency: 'at_once' })
    expect(await plan(db.sql)).toBe(1)
  })

  it('is one mail a day or week of everything that is watched so, when that is due', async () => {
    const { ids } = await watcher(db.sql, { ...MODEL, frequency: 'daily' }, { provider: 'openai', frequency: 'daily' })
    const weekly = await watcher(db.sql, { ...MODEL, frequency: 'weekly' })
    await record(db.sql, changed('2', '1'))
    expect(await plan(db.sql)).toBe(0)
    expect(await plan(db.sql, MONDAY)).toBe(2)
    expect(await planned(db.sql)).toEqual({ [ids[0]!]: 1, [ids[1]!]: 1, [weekly.ids[0]!]: 1 })
    await db.sql`delete from outbox_mail`
    await record(db.sql, changed('1', '2'))
    expect(await plan(db.sql, '2099-01-05T23:59:00.000Z' as never)).toBe(0)
    expect(await plan(db.sql, '2099-01-06T07:00:00.000Z' as never)).toBe(1)
    expect(await plan(db.sql, '2099-01-12T07:00:00.000Z' as never)).toBe(2)
  })

  it('is nothing while the account is disabled, and of what is published once it is not', async () => {
    const nora = await watcher(db.sql, MODEL)
    const disable = (disabled: boolean) =>
      db.sql.begin((tx) => setAccountDisabled(tx, { accountId: nora.accountId, disabled }))
    await disable(true)
    await record(db.sql, changed('2', '1'))
    expect(await plan(db.sql)).toBe(0)
    await disable(false)
    expect(await plan(db.sql)).toBe(0)
    await record(db.sql, changed('1', '3'), changed('3', '4'))
    await plan(db.sql)
    expect(await planned(db.sql)).toEqual({ [nora.ids[0]!]: 2 })
  })

  it('waits above 50 mails at once in 24 hours, and then comes in one', async () => {
    const { accountId, ids } = await watcher(db.sql, MODEL)
    const now = new Date()
    await db.sql`
      insert into outbox_mail (mail_id, account_id, kind, state, created_at, next_try_at, expires_at, ended_at)
      select uuidv7(), ${accountId}, 'watch', 'sent', at, at, at, at from (select ${now}::timestamptz as at), generate_series(1, 50)`
    for (let n = 0; n < 3; n++) {
      await record(db.sql, changed('2', '1'))
      expect(await plan(db.sql)).toBe(0)
    }
    await db.sql`update outbox_mail set created_at = created_at - interval '1 day'`
    expect(await plan(db.sql)).toBe(1)
    expect(await planned(db.sql)).toEqual({ [ids[0]!]: 3 })
  })
})
