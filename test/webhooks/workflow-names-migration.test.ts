import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'

const FOLDER = new URL('../../src/database/migrations/', import.meta.url)
const MIGRATION = '0018_delivery_lock_order.sql'

const db = testDatabase()

it('gives deliveries that were started before, and notices for them, the workflow id they were started under', async () => {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql') && name <= MIGRATION).sort()
  const connection = await db.sql.reserve()
  try {
    await connection.unsafe('create schema older; set search_path to older')
    for (const name of files.slice(0, -1)) await connection.unsafe(await readFile(new URL(name, FOLDER), 'utf8'))
    const [workspace] = await connection`
      insert into workspace (name, created_at) values ('Acme', now()) returning workspace_id as id`
    const [webhook] = await connection`
      insert into webhook (workspace_id, name, url, created_at, updated_at)
      values (${workspace!.id}, 'Orders', 'https://example.com/', now(), now()) returning webhook_id as id`
    await connection`
      insert into event (seq, event_id, type, eligible_at, body) values
      (1, 'evt_1', 'price.changed', now(), '{}'), (2, 'evt_2', 'price.changed', now(), '{}')`
    const [started] = await connection`
      insert into delivery (webhook_id, workspace_id, event_id, due_at, created_at, started_cycle)
      values (${webhook!.id}, ${workspace!.id}, 'evt_1', now(), now(), 1) returning delivery_id as id`
    await connection`
      insert into delivery (webhook_id, workspace_id, event_id, due_at, created_at)
      values (${webhook!.id}, ${workspace!.id}, 'evt_2', now(), now())`
    await connection`
      insert into delivery_notice (delivery_id, webhook_id, what, created_at)
      values (${started!.id}, ${webhook!.id}, 'the webhook was paused', now())`

    await connection.unsafe(await readFile(new URL(MIGRATION, FOLDER), 'utf8'))
    const rows = await connection`select event_id as event, workflow_id as workflow from delivery order by event_id`
    const notices = await connection`select workflow_id as workflow from delivery_notice`
    expect([...rows]).toEqual([
      { event: 'evt_1', workflow: `delivery/${started!.id}` },
      { event: 'evt_2', workflow: null },
    ])
    expect([...notices]).toEqual([{ workflow: `delivery/${started!.id}` }])
  } finally {
    await connection`reset search_path`
    connection.release()
  }
})
