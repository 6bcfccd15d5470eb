import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { sealCursor } from '../../../src/lib/cursor.ts'
import { cursorKeys } from '../../../src/prices/history/cursor-key-store.ts'
import { createCursorKeyReader } from '../../../src/prices/history/read-cursor-key.ts'
import { rotateCursorKey } from '../../../src/prices/history/rotate-cursor-key.ts'
import { testDatabase } from '../../support/database.ts'

const db = testDatabase({ each: true })

it('is read again after a failure, and then kept', async () => {
  const read = createCursorKeyReader(db.sql)
  await db.sql`alter table cursor_key rename to cursor_key_away`
  await expect(read()).rejects.toThrow(/cursor_key/)
  await db.sql`alter table cursor_key_away rename to cursor_key`
  const key = await read()
  expect(key.sealing).toHaveLength(32)
  await db.sql`alter table cursor_key rename to cursor_key_away`
  expect(await read()).toEqual(key)
})

it('is read again for a cursor that none of the known keys opens, and a forged one opens with none', async () => {
  const [old, other] = [createCursorKeyReader(db.sql), createCursorKeyReader(db.sql)]
  const before = await old()
  await rotateCursorKey(db.sql)
  const { sealing } = await other()
  expect(sealing).not.toEqual(before.sealing)
  expect(await other(sealCursor(before.sealing, 'x'))).toEqual({ sealing, opening: before.sealing })
  expect(await old()).toEqual(before)
  expect(await old(sealCursor(sealing, 'x'))).toEqual({ sealing, opening: sealing })
  expect(await old(sealCursor(Buffer.alloc(32), 'x'))).toEqual({ sealing, opening: sealing })
})

it('is replaced a hundred times, and each earlier one still opens its cursors, the newest first', async () => {
  await db.sql`
    insert into earlier_cursor_key (key, replaced_at)
    select sha256(n::text::bytea), now() - make_interval(hours => 100 - n) from generate_series(1, 99) as n`
  await rotateCursorKey(db.sql)
  const { sealing, earlier } = await cursorKeys(db.sql)
  const hashed = (n: number) => createHash('sha256').update(String(n)).digest()
  expect(earlier.slice(1).map((key) => Buffer.from(key))).toEqual(Array.from({ length: 99 }, (_, n) => hashed(99 - n)))
  await expect(rotateCursorKey(db.sql)).rejects.toThrow('The key of cursors was replaced 100 times.')
  expect(await cursorKeys(db.sql)).toEqual({ sealing, earlier })
})
