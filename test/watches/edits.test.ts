import { beforeEach, describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import { createWatch } from '../../src/watches/create-watch.ts'
import { deleteWatch } from '../../src/watches/delete-watch.ts'
import { editWatch } from '../../src/watches/edit-watch.ts'
import { listWatches } from '../../src/watches/list-watches.ts'
import { type WatchPatch, watchBody } from '../../src/watches/schema.ts'
import { testDatabase } from '../support/database.ts'
import { someoneWaits } from '../support/locks.ts'
import { record } from '../support/webhooks/subscriptions.ts'
import { addCatalogue, changed, MONDAY, plan, planned, watcher } from './support.ts'

const MODEL = { provider: 'openai', resource: 'gpt-5' }

describe('a watch', () => {
  const db = testDatabase({ each: true })
  beforeEach(() => addCatalogue(db.sql))
  /** Someone with one watch, and what edits it. */
  async function watched(given: object) {
    const { accountId, ids } = await watcher(db.sql, given)
    const [watchId] = ids as [string]
    return { watchId, edit: (patch: WatchPatch) => editWatch(db.sql, { accountId, watchId }, patch), accountId }
  }

  it('that is not paused loses nothing when it is resumed', async () => {
    const { watchId, edit } = await watched({ ...MODEL, frequency: 'daily' })
    await record(db.sql, changed('2', '1'))
    expect((await edit({ paused: false, minChange: 5 })).pausedAt).toBeNull()
    expect(await plan(db.sql, MONDAY)).toBe(1)
    expect(await planned(db.sql)).toEqual({ [watchId]: 1 })
  })

  it('that is paused stays so since the same instant through other edits, and finds nothing of that time later', async () => {
    const { edit } = await watched(MODEL)
    const { pausedAt } = await edit({ paused: true })
    expect(await edit({ paused: true })).toMatchObject({ pausedAt })
    await record(db.sql, changed('2', '1'))
    expect(await edit({ minChange: 1 })).toMatchObject({ pausedAt, minChange: 1, frequency: 'at_once' })
    expect(await edit({ frequency: 'at_once' })).toMatchObject({ pausedAt, minChange: 1 })
    expect((await edit({ paused: false })).pausedAt).toBeNull()
    expect(await plan(db.sql)).toBe(0)
  })

  it('is edited and deleted alone: the others of its owner stay as they are', async () => {
    const { accountId, watchId, edit } = await watched(MODEL)
    const given = { provider: 'openai', frequency: 'weekly', minChange: 3 } as const
    const other = await createWatch(db.sql, accountId, watchBody.parse(given))
    expect(await edit({ frequency: 'daily', minChange: 5, paused: true })).toMatchObject({ watchId })
    expect(await listWatches(db.sql, accountId)).toMatchObject([other, { watchId, frequency: 'daily' }])
    await deleteWatch(db.sql, { accountId, watchId })
    expect(await listWatches(db.sql, accountId)).toEqual([other])
  })

  it('is listed and counted for its owner alone', async () => {
    const { accountId, watchId } = await watched(MODEL)
    const other = await watcher(db.sql)
    await db.sql`
      insert into watch (account_id, provider, resource, frequency, min_change, after_seq, created_at, updated_at)
      select ${other.accountId}, 'openai', 'm' || n, 'daily', 0, 0, now(), now() from generate_series(1, 50) as n`
    const added = await createWatch(db.sql, accountId, watchBody.parse({ provider: 'azure', frequency: 'daily' }))
    const own = await listWatches(db.sql, accountId)
    expect(own.map((watch) => watch.watchId)).toEqual([added.watchId, watchId])
    expect(await listWatches(db.sql, other.accountId)).toHaveLength(50)
  })

  it('is of a model that its provider sells, whoever else does', async () => {
    await db.sql`
      insert into resource (source, provider, resource, first_priced_at) values ('list', 'openai', 'o9', now())`
    const { accountId } = await watched({ provider: 'openai', resource: 'o9' })
    const elsewhere = watchBody.parse({ provider: 'azure', resource: 'o9', frequency: 'daily' })
    const refused = expect.objectContaining({ code: 'invalid_body', field: 'resource' })
    await expect(createWatch(db.sql, accountId, elsewhere)).rejects.toEqual(refused)
  })

  it('is shown with its own name where another one is renamed', async () => {
    const { accountId } = await watched(MODEL)
    const mini = { provider: 'openai', resource: 'gpt-5-mini' }
    await createWatch(db.sql, accountId, watchBody.parse({ ...mini, frequency: 'daily' }))
    await db.sql`
      insert into resource_rename (source, provider, old_resource, new_resource, at)
      values ('list', 'openai', 'gpt-5', 'gpt-five', '2026-01-01')`
    const names = (await listWatches(db.sql, accountId)).map(({ resource }) => resource)
    expect(names).toEqual(['gpt-5-mini', 'gpt-five'])
  })

  it('follows no renaming that has ended, and none of another provider', async () => {
    const { accountId, watchId } = await watched(MODEL)
    const rename = (provider: string, to: string, endedAt: string | null) => db.sql`
      insert into resource_rename (source, provider, old_resource, new_resource, at, ended_at)
      values ('list', ${provider}, 'gpt-5', ${to}, '2026-01-01', ${endedAt})`
    await rename('openai', 'gpt-ended', '2026-02-01')
    await rename('azure', 'gpt-azure', null)
    const named = (resource: string) => changed('2', '1', { resources: [resource] })
    await record(db.sql, named('gpt-ended'), named('gpt-azure'), named('gpt-5'))
    await plan(db.sql)
    expect(await planned(db.sql)).toEqual({ [watchId]: 1 })
    expect(await listWatches(db.sql, accountId)).toMatchObject([MODEL])
  })

  it('of an owner without a confirmed address is mailed nothing, and once it is confirmed what is published then', async () => {
    const { accountId, watchId } = await watched(MODEL)
    const confirm = (at: Date | null) =>
      db.sql`update account set email_verified_at = ${at} where account_id = ${accountId}`
    await confirm(null)
    await record(db.sql, changed('2', '1'))
    expect(await plan(db.sql)).toBe(0)
    await confirm(new Date())
    await record(db.sql, changed('1', '3'))
    await plan(db.sql)
    expect(await planned(db.sql)).toEqual({ [watchId]: 1 })
  })

  /** Runs `edit` while a plan that has found changes of an account waits for it. */
  async function whilePlanned(
    accountId: string,
    now: Instant | undefined,
    edit: () => Promise<unknown>,
  ): Promise<void> {
    const plans: Promise<unknown>[] = []
    await db.sql.begin(async (tx) => {
      await tx`select from account where account_id = ${accountId} for update`
      plans.push(plan(db.sql, now))
      await someoneWaits(db.sql)
      await edit()
      plans.push(plan(db.sql))
      await someoneWaits(db.sql, 2)
    })
    await Promise.all(plans)
  }

  it('whose frequency becomes one that is being planned is mailed with the next plan', async () => {
    const { accountId } = await watched(MODEL)
    const other = await watched({ ...MODEL, frequency: 'weekly' })
    await record(db.sql, changed('2', '1'))
    await whilePlanned(accountId, undefined, () => other.edit({ frequency: 'at_once' }))
    await plan(db.sql)
    expect(await planned(db.sql)).toMatchObject({ [other.watchId]: 1 })
  })

  it('whose frequency changes while it is planned is mailed once', async () => {
    const { accountId, watchId } = await watched({ ...MODEL, frequency: 'daily' })
    await record(db.sql, changed('2', '1'))
    await whilePlanned(accountId, MONDAY, () => db.sql`update watch set frequency = 'at_once'`)
    await plan(db.sql, MONDAY)
    expect(await planned(db.sql)).toEqual({ [watchId]: 1 })
  })
})
