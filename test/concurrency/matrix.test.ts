import { beforeAll, describe, expect, it } from 'vitest'
import { addMember, fiftyAtOnce } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'
import { addProviders } from '../support/webhooks/subscriptions.ts'
import { ACCOUNT_CELLS } from './account-cells.ts'
import type { Cell } from './cell.ts'
import { PRICE_CELLS } from './price-cells.ts'
import { WEBHOOK_CELLS } from './webhook-cells.ts'
import { WEBHOOK_STATE_CELLS } from './webhook-state-cells.ts'

const MATRIX: Cell[] = [...ACCOUNT_CELLS, ...WEBHOOK_CELLS, ...WEBHOOK_STATE_CELLS, ...PRICE_CELLS]

/** Every action that has a limit or changes a state, by 50 requests at once. What they do to deliveries under way is in test/webhooks/action-matrix. */
describe('50 at once', () => {
  const db = testDatabase()
  const people: string[] = []

  beforeAll(async () => {
    await addProviders(db.sql, ['acme'])
    const rows = await db.sql<{ id: string }[]>`
      insert into account (email, email_key, name, password_hash, created_at)
      select n || '@example.com', n || '@example.com', n, 'none', clock_timestamp() from generate_series(1, 50) as n
      returning account_id as id`
    people.push(...rows.map(({ id }) => id))
  })

  /** A workspace of its own, with the first person as its admin. */
  async function newWorkspace() {
    const [row] = await db.sql<{ id: string }[]>`
      insert into workspace (name, created_at) values ('W', clock_timestamp()) returning workspace_id as id`
    await addMember(db.sql, row!.id, people[0]!, 'admin')
    return row!.id
  }

  it.each(MATRIX)('$action, $state', async ({ prepare, act, expected, invariant }) => {
    const workspaceId = await newWorkspace()
    const setting = { sql: db.sql, workspaceId, people }
    const subject = (await prepare(setting)) as never
    expect(await fiftyAtOnce((n) => act(setting, subject, n))).toEqual(expected)
    await invariant(setting, subject)
  })
})
