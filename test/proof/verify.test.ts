import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { declareRestore } from '../../src/catalog/clock/begin-restored-timeline.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { restoreRow, withdrawRow } from '../../src/prices/review/correct-price.ts'
import { readCheckpoint, signCheckpoint } from '../../src/proof/checkpoint-rules.ts'
import { keepLog } from '../../src/proof/keep-log.ts'
import { publicBytes } from '../../src/proof/keys/key-rules.ts'
import { readConsistency } from '../../src/proof/read-proof.ts'
import { verifyLog } from '../../src/proof/verify/verify-log.ts'
import { verifyCheckpoint } from '../../src/proof/verify/verify-signed.ts'
import { models } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase({ each: true })
const secretKey = randomBytes(32)
const names = { logOrigin: 'log.test' }
const keep = () => keepLog({ sql: db.sql, names, secretKey })
const newest = async () => (await readConsistency(db.sql, 0)).checkpoint
/** The row whose leaf has this place among those of rows. */
const rowAt = async (n: number) =>
  (await db.sql<{ hash: string }[]>`select content_hash as hash from price_status order by seq offset ${n} limit 1`)[0]!
    .hash
/** The leaves of the origin and of the provider come before the first row. */
const FIRST_ROW = 2
const found = async () => (await verifyLog(db.sql)).findings.map(({ leaf, what }) => [leaf, what])

async function published(): Promise<void> {
  await begun()
  await goneOn()
}

async function begun(): Promise<void> {
  await snapshot(db.sql, 'list', models(130))
  await keep()
}

async function goneOn(): Promise<void> {
  await restored(await withdrawn())
}

async function withdrawn(): Promise<string> {
  await snapshot(db.sql, 'list', models(135))
  const hash = await rowAt(7)
  await withdrawRow(db.sql, { contentHash: hash, actor: 'ops@acme.test', reason: 'wrong' })
  await keep()
  return hash
}

async function restored(hash: string): Promise<void> {
  await restoreRow(db.sql, { contentHash: hash, actor: 'ops@acme.test', reason: 'right' })
  await keep()
}

/** The log as it is now, to be put back. */
const LOG_TABLES = ['log_tile', 'log_entries', 'log_checkpoint', 'log_state'] as const
async function keepCopies(): Promise<void> {
  for (const table of LOG_TABLES) await db.sql.unsafe(`create table kept_${table} as table ${table}`)
}
async function backToCopies(): Promise<void> {
  for (const table of LOG_TABLES)
    await db.sql.unsafe(
      `delete from ${table}; insert into ${table} select * from kept_${table}; drop table kept_${table}`,
    )
}

/** Writes the log again from where it was copied, and puts back the checkpoints that were signed before. */
async function writeAgain(): Promise<void> {
  const checkpoints = await db.sql`select * from log_checkpoint`
  await backToCopies()
  await keep()
  await db.sql`delete from log_checkpoint`
  for (const row of checkpoints) await db.sql`insert into log_checkpoint ${db.sql(row)}`
}

/** Changes what the database lets no one change. */
const force = (statement: string) => db.sql.unsafe(statement)

describe('verify', () => {
  it('finds nothing where nothing was changed', async () => {
    await published()
    expect(await verifyLog(db.sql)).toEqual({ size: 274, origin: 'log.test', findings: [] })
  })

  it('finds nothing where a row was withdrawn twice', async () => {
    await begun()
    const correction = { contentHash: await rowAt(7), actor: 'ops@acme.test', reason: 'wrong' }
    for (const correct of [withdrawRow, restoreRow, withdrawRow]) await correct(db.sql, correction)
    await keep()
    expect((await verifyLog(db.sql)).findings).toEqual([])
  })

  it('names a row that was edited, and one that is served otherwise than it was recorded', async () => {
    await published()
    const [edited, served, moved] = [await rowAt(3), await rowAt(5), await rowAt(260)]
    await force(`update price_row set price = price * 2 where content_hash = '${edited}'`)
    await force(`update publication set body = replace(body, '"acme"', '"acne"') where content_hash = '${served}'`)
    await force(`update publication set published_at = published_at - interval '1 day' where content_hash = '${moved}'`)
    const { findings } = await verifyLog(db.sql)
    expect(findings.map(({ leaf, what }) => [leaf, what])).toEqual([
      [FIRST_ROW + 3, 'row_edited'],
      [FIRST_ROW + 5, 'served_differs'],
      [FIRST_ROW + 260, 'served_differs'],
    ])
    expect(findings[0]!.message).toContain(edited)
  })

  it('names a row that was removed with all that names it', async () => {
    await published()
    const hash = await rowAt(9)
    for (const table of ['publication', 'price_status', 'price_row'])
      await force(`delete from ${table} where content_hash = '${hash}'`)
    const { findings } = await verifyLog(db.sql)
    expect(findings).toMatchObject([
      { leaf: FIRST_ROW + 9, what: 'row_removed', message: expect.stringContaining(hash) },
    ])
  })

  it('names a status that was changed, and one that was added behind the log', async () => {
    await published()
    const [changed, added] = [await rowAt(4), await rowAt(265)]
    await force(`update price_status set status = 'approved' where content_hash = '${changed}'`)
    await force(
      `insert into price_status (content_hash, seq, at, status) select content_hash, 30, at, 'removed' from price_status where content_hash = '${added}'`,
    )
    expect(await found()).toEqual([
      [FIRST_ROW + 4, 'status_changed'],
      [FIRST_ROW + 265, 'served_differs'],
      [272, 'row_added'],
    ])
  })

  it('names a provider that became something else', async () => {
    await published()
    await force(`update provider_status set status = 'retired' where provider = 'acme'`)
    expect(await found()).toEqual([
      [undefined, 'provider_changed'],
      [1, 'provider_changed'],
    ])
  })

  it('names a leaf that was rewritten in the log, and a tile', async () => {
    await published()
    await force(
      `update log_entries set entries = overlay(entries placing 'acne'::bytea from position('acme'::bytea in entries)) where tile = 0`,
    )
    expect((await found())[0]).toEqual([undefined, 'provider_changed'])
    expect(await found()).toContainEqual([1, 'leaf_changed'])
    await force(`update log_tile set hashes = set_byte(hashes, 20, 255 - get_byte(hashes, 20)) where level = 1`)
    expect(await found()).toContainEqual([undefined, 'tile_changed'])
  })

  it('names leaves that are no longer there', async () => {
    await published()
    await force('delete from log_entries where tile = 1')
    await force('delete from log_tile where level = 0 and tile = 1')
    expect(await found()).toContainEqual([256, 'log_cut'])
  })

  /** What came after the checkpoint before the newest is rewritten. */
  async function rewrittenSinceTheLast(): Promise<void> {
    await begun()
    const hash = await withdrawn()
    await keepCopies()
    await restored(hash)
    await force(`update price_status set status = 'auto_approved' where seq = (select max(seq) from price_status)`)
    await writeAgain()
  }

  it('says up to where the tree is the signed one, when history and log were rewritten together', async () => {
    await begun()
    await keepCopies()
    await goneOn()
    const kept = await newest()
    // Everything after the first checkpoint is taken away and written again, by someone who does not have the key.
    await force(`update price_status set status = 'approved' where content_hash = '${await rowAt(265)}'`)
    await writeAgain()
    const message = expect.stringMatching(/ with 274 leaves: .*; the 262 leaves of .* fit theirs/)
    expect((await verifyLog(db.sql)).findings).toMatchObject([{ what: 'checkpoint_differs', message }])
    expect(await verifyCheckpoint(db.sql, kept)).toMatchObject({ fits: false, what: 'other_tree' })
  })

  it('says so of the checkpoint before the newest, when only what came after that was rewritten', async () => {
    await rewrittenSinceTheLast()
    const message = expect.stringMatching(/ with 274 leaves: .*; the 273 leaves of .* fit theirs/)
    expect((await verifyLog(db.sql)).findings).toMatchObject([{ what: 'checkpoint_differs', message }])
  })

  it('passes over a kept checkpoint that cannot be read', async () => {
    await rewrittenSinceTheLast()
    await db.sql`update log_checkpoint set note = 'cut off' where size = 273`
    const message = expect.stringMatching(/ with 274 leaves: .*; the 262 leaves of .* fit theirs/)
    expect((await verifyLog(db.sql)).findings).toMatchObject([{ what: 'checkpoint_differs', message }])
  })

  it('names a newest checkpoint that no key of the log signed', async () => {
    await published()
    const note = forged({ ...readCheckpoint(await newest())!, origin: 'log.test' })
    await db.sql`update log_checkpoint set note = ${note} where size = 274`
    const message = 'The checkpoint of 274 leaves is not signed by a key of the log.'
    expect((await verifyLog(db.sql)).findings).toMatchObject([{ what: 'checkpoint_differs', message }])
  })
})

/** Signs a checkpoint with a key that is not of the log. */
function forged(checkpoint: Parameters<typeof signCheckpoint>[0]): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return signCheckpoint(checkpoint, [{ publicKey: publicBytes(privateKey), privateKey }])
}

describe('verify --checkpoint', () => {
  it('says that the log begins with it', async () => {
    await published()
    const kept = await newest()
    await snapshot(db.sql, 'list', models(140))
    await keep()
    expect(await verifyCheckpoint(db.sql, kept)).toMatchObject({ fits: true, size: 274 })
  })

  it('refuses any before the log has a name', async () => {
    const note = forged({ origin: 'other.test', size: 1, root: randomBytes(32) })
    expect(await verifyCheckpoint(db.sql, note)).toMatchObject({
      fits: false,
      what: 'other_log',
      message: expect.stringContaining('of the log other.test, and this one is without a name yet:'),
    })
  })

  it('refuses one that was changed, one of another key, one of another log, and what is none', async () => {
    await published()
    const kept = await newest()
    const read = readCheckpoint(kept)!
    const verdicts = [
      kept.replace('\n274\n', '\n273\n'),
      forged({ ...read, origin: 'log.test' }),
      forged({ ...read, origin: 'other.test' }),
      `${kept}x`,
      kept.replace(read.root.toString('base64'), randomBytes(32).toString('base64')),
    ]
    expect(await Promise.all(verdicts.map((note) => verifyCheckpoint(db.sql, note)))).toMatchObject([
      { fits: false, what: 'wrong_signature' },
      { fits: false, what: 'unknown_key' },
      {
        fits: false,
        what: 'other_log',
        message: expect.stringContaining('of the log other.test, and this one is log.test:'),
      },
      { fits: false, what: 'unreadable' },
      { fits: false, what: 'wrong_signature' },
    ])
  })

  it('says where the log of a database from yesterday ends, and after the restore was recorded that this is why', async () => {
    await published()
    const early = await newest()
    await keepCopies()
    await snapshot(db.sql, 'list', models(140))
    await keep()
    const late = await newest()
    await backToCopies()
    expect(await verifyCheckpoint(db.sql, late)).toMatchObject({
      fits: false,
      what: 'log_shorter',
      message: expect.stringContaining("This database's log ends at 274, and the checkpoint is for 284."),
    })
    const lost = await declareRestore(db.sql, '2026-01-01T00:00:00.000Z' as Instant)
    await keep()
    const said = async () => (await verifyCheckpoint(db.sql, late)) as { what: string; message: string }
    expect((await said()).what).toBe('lost')
    expect((await said()).message).toMatch(/ended at 274 when the database was restored.*not tampering/)
    expect((await said()).message).toContain(
      `: what was published after 2026-01-01T00:00:00.000Z and until ${lost!.until} was lost.`,
    )
    await db.sql`update log_origin set lost_after = null, lost_until = null`
    expect((await said()).message).toContain(': nothing that can have been read was lost.')
    expect(await verifyCheckpoint(db.sql, early)).toMatchObject({ fits: true })
    expect(await found()).toEqual([])
  })
})
