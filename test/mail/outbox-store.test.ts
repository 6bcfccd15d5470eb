import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as store from '../../src/mail/outbox-store.ts'
import { addAccount } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase()
const MINUTE = 60_000
let [ada, bob] = ['', '']
beforeAll(async () => {
  ada = (await addAccount(db.sql, 'ada@example.com')).accountId
  bob = (await addAccount(db.sql, 'bob@example.com')).accountId
})
beforeEach(() => db.sql`delete from outbox_mail`)

let count = 0
/** In the order in which mails are written. */
const nextId = () => `00000000-0000-7000-8000-${String(++count).padStart(12, '0')}`

type Row = Parameters<typeof store.insertMails>[1][number]
const SEALED = Buffer.from('sealed').toString('base64')
/** Writes one mail, and returns its id; undefined where none was written. */
async function write(more: Partial<Row> = {}): Promise<string | undefined> {
  const mailId = nextId()
  const row = { mailId, kind: 'password_reset' as const, to: 'ada@example.com', sealed: SEALED, validMs: 60 * MINUTE }
  const [written] = await store.insertMails(db.sql, [{ ...row, ...more }])
  return written
}
const facts = (more: Partial<Row> = {}) => write({ sealed: undefined, facts: { n: 1 }, to: undefined, ...more })
const age = (mailId: string, minutes: number) => db.sql`
  update outbox_mail set created_at = created_at - ${`${minutes} min`}::interval,
    next_try_at = next_try_at - ${`${minutes} min`}::interval where mail_id = ${mailId}`
const claimed = async (limit = 9, mailId?: string) =>
  (await store.claimMails(db.sql, { limit, mailId })).map((mail) => mail.mailId)

describe('mails that wait', () => {
  it('take the place of the one in their slot, as new ones, if they are texts', async () => {
    const first = (await write({ slot: 's', waitMs: 5 * MINUTE }))!
    await store.recordProblem(db.sql, first, 'busy')
    const [sealed, validMs] = [Buffer.from('second').toString('base64'), 90 * MINUTE]
    const second = (await write({ slot: 's', sealed, validMs }))!
    const rows = await db.sql`
      select mail_id as id, attempts, problem, convert_from(sealed, 'UTF8') as text,
             extract(epoch from expires_at - created_at)::int as seconds
      from outbox_mail`
    expect([...rows]).toEqual([{ id: second, attempts: 0, problem: null, text: 'second', seconds: 5_400 }])
    expect(await claimed()).toEqual([second])
    expect(await facts({ to: 'ada@example.com', slot: 's' })).toBeUndefined()
    const other = await write({ slot: 'other' })
    expect([...(await claimed())]).toEqual([other])
  })

  it('are claimed when they are due, those that waited longest first, each for four minutes', async () => {
    const [late, early] = [(await write())!, (await write())!]
    await age(early, 2)
    await age(late, 1)
    const waits = (await write({ waitMs: 5 * MINUTE }))!
    const expired = (await write({ validMs: 0 }))!
    expect(await claimed(1)).toEqual([early])
    expect(await claimed()).toEqual([late])
    expect(await claimed()).toEqual([])
    expect(await claimed(9, waits)).toEqual([waits])
    expect(await claimed(9, expired)).toEqual([])
    const [{ seconds }] = (await db.sql`
      select extract(epoch from next_try_at - clock_timestamp())::float8 as seconds from outbox_mail
      where mail_id = ${early}`) as unknown as [{ seconds: number }]
    expect(seconds).toBeGreaterThan(200)
    expect(seconds).toBeLessThanOrEqual(240)
  })

  it('end once, keep nothing of what they said, and to whom only where they were not sent', async () => {
    const [sent, refused, other] = [(await write({ slot: 'a' }))!, (await write({ slot: 'b' }))!, (await write())!]
    await store.endMail(db.sql, sent, 'sent')
    await store.endMail(db.sql, refused, 'refused', 'unknown')
    await store.endMail(db.sql, refused, 'sent')
    const rows = await db.sql`
      select mail_id as id, state, problem, attempts, to_address as to, num_nonnulls(sealed, facts, slot) as kept
      from outbox_mail where state <> 'waiting' order by state`
    expect([...rows]).toEqual([
      { id: refused, state: 'refused', problem: 'unknown', attempts: 1, to: 'ada@example.com', kept: 0 },
      { id: sent, state: 'sent', problem: null, attempts: 1, to: null, kept: 0 },
    ])
    expect(await claimed()).toEqual([other])
  })

  it('expire, and are forgotten once they have ended for long enough', async () => {
    const expired = (await write({ slot: 's', validMs: 0 }))!
    const waits = (await write())!
    const [old, young] = [(await write())!, (await write())!]
    for (const one of [old, young]) await store.endMail(db.sql, one, 'sent')
    await db.sql`update outbox_mail set ended_at = ended_at - interval '2 min' where mail_id = ${old}`
    await store.endOldMails(db.sql, MINUTE)
    const rows = await db.sql`
      select mail_id as id, state, num_nonnulls(sealed, facts, slot, ended_at) as set from outbox_mail order by state`
    expect([...rows]).toEqual([
      { id: expired, state: 'expired', set: 1 },
      { id: young, state: 'sent', set: 1 },
      { id: waits, state: 'waiting', set: 1 },
    ])
  })

  it('are counted: those that are due, those that failed more than once, and why the newest of them waits', async () => {
    expect(await store.readWaiting(db.sql)).toEqual({ due: 0, failing: 0, problem: null })
    const [once, twice, newest] = [(await write())!, (await write())!, (await write({ waitMs: MINUTE }))!]
    await write({ waitMs: MINUTE })
    for (const [one, problem] of [
      [once, 'once'],
      [twice, 'first'],
      [twice, 'twice'],
      [newest, 'first'],
      [newest, 'newest'],
    ] as const)
      await store.recordProblem(db.sql, one, problem)
    expect(await store.readWaiting(db.sql)).toEqual({ due: 2, failing: 2, problem: 'newest' })
    await store.endMail(db.sql, newest, 'refused', 'ended')
    expect(await store.readWaiting(db.sql)).toEqual({ due: 2, failing: 1, problem: 'twice' })
    await store.deleteMail(db.sql, twice)
    expect(await store.readWaiting(db.sql)).toEqual({ due: 1, failing: 0, problem: null })
  })

  it('are counted by account and kind, within a time, but those that were refused', async () => {
    const of = (accountId: string, more: Partial<Row> = {}) => facts({ accountId, kind: 'watch', ...more })
    for (let n = 0; n < 2; n++) await of(ada)
    await of(ada, { kind: 'webhook_paused' })
    await store.endMail(db.sql, (await of(ada))!, 'refused', 'unknown')
    await store.endMail(db.sql, (await of(bob))!, 'sent')
    await age((await of(bob))!, 11)
    const count = (...accountIds: string[]) =>
      store.countMails(db.sql, { kind: 'watch', accountIds, withinMs: 10 * MINUTE })
    expect([...(await count(ada))]).toEqual([[ada, 2]])
    expect(await count(ada, bob)).toEqual(
      new Map([
        [ada, 2],
        [bob, 1],
      ]),
    )
  })

  it('are sealed again one by one, and go with their account', async () => {
    const [first, second] = [(await write())!, (await write({ to: undefined, accountId: bob }))!]
    const fact = await facts({ accountId: ada })
    await db.sql.begin(async (tx) => {
      const locked = await store.lockSealedMails(tx)
      expect(locked.map(({ mailId }) => mailId)).toEqual([first, second])
      expect(await claimed()).toEqual([fact])
      await store.replaceSealed(tx, first, Buffer.from('again'))
    })
    const texts = async () =>
      (await db.sql`select mail_id as id, convert_from(sealed, 'UTF8') as text from outbox_mail order by mail_id`).map(
        ({ id, text }) => [id, text],
      )
    expect(await texts()).toEqual([
      [first, 'again'],
      [second, 'sealed'],
      [fact, null],
    ])
    await db.sql.begin((tx) => store.deleteMailsTo(tx, bob))
    expect(await texts()).toEqual([
      [first, 'again'],
      [fact, null],
    ])
  })
})
