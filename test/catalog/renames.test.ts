import { expect, it } from 'vitest'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import { endRenames, recordRenames } from '../../src/catalog/resource-store.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase()

it('A renaming that ended keeps the instant of its end when a later one of the same name ends', async () => {
  const rename = () =>
    publishing(db.sql, (tx, { at }) => recordRenames(tx, 's', [{ provider: 'acme', from: 'old', to: 'new' }], at))
  const end = () => publishing(db.sql, (tx, { at }) => endRenames(tx, 's', [{ provider: 'acme', resource: 'old' }], at))
  const ends = async () => {
    const rows = await db.sql<{ at: string | null }[]>`select ended_at as at from resource_rename order by at`
    return rows.map(({ at }) => at)
  }
  await rename()
  await end()
  const [first] = await ends()
  await rename()
  await end()
  const both = (await ends()).sort()
  expect(both[0]).toBe(first)
  expect(both[1]! > first!).toBe(true)
})
