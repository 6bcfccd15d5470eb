import { beforeEach, describe, expect, it } from 'vitest'
import { editWatch } from '../../src/watches/edit-watch.ts'
import { listWatches } from '../../src/watches/list-watches.ts'
import type { WatchPatch } from '../../src/watches/schema.ts'
import { testDatabase } from '../support/database.ts'
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

  it('that goes on anyway loses nothing when it is told to go on', async () => {
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
})
