import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PriceRow } from '../../clients/typescript/src/index.ts'
import { verifyPage } from '../../clients/typescript/src/proof/index.ts'
import { restoreRow, withdrawRow } from '../../src/prices/review/correct-price.ts'
import { judgeSignature, readCheckpoint } from '../../src/proof/checkpoint-rules.ts'
import { keepLog } from '../../src/proof/keep-log.ts'
import { logKeys } from '../../src/proof/keys/key-store.ts'
import { readKeys } from '../../src/proof/keys/read-keys.ts'
import { rotateLogKey } from '../../src/proof/keys/rotate-log-key.ts'
import { lockLog } from '../../src/proof/log-store.ts'
import { readPageProof } from '../../src/proof/read-page-proof.ts'
import { readConsistency, readProof } from '../../src/proof/read-proof.ts'
import { appendLeaves } from '../../src/proof/tree/append-leaves.ts'
import { HASH_BYTES, leafHash } from '../../src/proof/tree/hash-rules.ts'
import { readLeaf, unbundle } from '../../src/proof/tree/leaf-rules.ts'
import { readTile } from '../../src/proof/tree/read-tile.ts'
import { rootOfInclusion } from '../../src/proof/tree/tree-rules.ts'
import { models } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'
import { someoneWaits } from '../support/locks.ts'

const db = testDatabase({ each: true })
const secretKey = randomBytes(32)
const keep = () => keepLog({ sql: db.sql, names: { logOrigin: 'log.test' }, secretKey })
const newest = async () => readCheckpoint((await readConsistency(db.sql, 0)).checkpoint)!
const decoded = (hashes: string[]) => hashes.map((text) => Buffer.from(text, 'base64'))
const hashAt = async (n: number) =>
  (await db.sql<{ hash: string }[]>`select content_hash as hash from price_status order by seq offset ${n} limit 1`)[0]!
    .hash

describe('a log that has gone on', () => {
  beforeEach(async () => {
    await snapshot(db.sql, 'list', models(5))
    await keep()
  })

  it('proves a row that was withdrawn and restored by the leaf of its restoring', async () => {
    const hash = await hashAt(3)
    const before = await readProof(db.sql, hash)
    const who = { contentHash: hash, actor: 'ops@acme.test' }
    await withdrawRow(db.sql, { ...who, reason: 'wrong' })
    await restoreRow(db.sql, { ...who, reason: 'right' })
    await keep()
    const { size, root } = await newest()
    const proof = await readProof(db.sql, hash)
    expect([before.leafIndex < proof.leafIndex, proof.leafIndex]).toEqual([true, size - 1])
    expect(readLeaf(proof.leaf)).toMatchObject({ kind: 'row', contentHash: hash, status: 'approved' })
    const found = rootOfInclusion({ index: size - 1, size }, leafHash(Buffer.from(proof.leaf)), decoded(proof.hashes))
    expect(found?.equals(root)).toBe(true)
    const page = await readPageProof(db.sql, [hash])
    expect(page.rows[0]!.leafIndex).toBe(size - 1)
    expect([...page.hashes].sort()).toEqual([...proof.hashes].sort())
  })

  it('goes on under another origin where it finds its database restored, though nothing was published since', async () => {
    const { origin } = await readKeys(db.sql)
    await db.sql`update history_timeline set fingerprint = 'of the database that was backed up'`
    await keep()
    const { origins } = await readKeys(db.sql)
    expect(origins.map((one) => [one.origin === origin, one.reason])).toEqual([
      [true, 'installed'],
      [false, 'restored'],
    ])
  })

  it('proves every second row of many at once, in whichever order they are named', async () => {
    const providers = ['eta', 'theta', 'zeta']
    await snapshot(
      db.sql,
      'wide',
      providers.flatMap((provider) => models(180, { provider })),
    )
    await keep()
    const served = await db.sql<{ body: string }[]>`
      select p.body from publication p join price_status s using (content_hash) where p.provider <> 'acme' order by s.seq desc`
    const rows = served.filter((_, n) => n % 2 === 0).map(({ body }) => JSON.parse(body) as PriceRow)
    const hashes = rows.map(({ contentHash }) => contentHash)
    const [key] = (await readKeys(db.sql)).keys
    const { publishedAt, checkpoint } = verifyPage(rows, await readPageProof(db.sql, hashes), key!.verifier)
    expect([...publishedAt.keys()]).toEqual(hashes)
    expect([hashes.length, checkpoint.size]).toEqual([540, (await newest()).size])
  })

  it('is written by one at a time: another waits until it has ended', async () => {
    await snapshot(db.sql, 'list', models(6))
    let other: ReturnType<typeof keep> | undefined
    await db.sql.begin(async (tx) => {
      await lockLog(tx)
      other = keep()
      await someoneWaits(db.sql)
    })
    expect(await other).toMatchObject({ leaves: 2, done: true })
  })

  it('proves nothing that is not signed yet', async () => {
    const { size } = await newest()
    await snapshot(db.sql, 'list', models(6))
    await appendLeaves(db.sql, { logOrigin: 'log.test' })
    const [signed, waits] = [await hashAt(size - 3), await hashAt(size - 2)]
    expect((await readPageProof(db.sql, [signed])).rows[0]!.leafIndex).toBe(size - 1)
    const refused = expect.objectContaining({ code: 'row_not_logged' })
    await expect(readPageProof(db.sql, [signed, waits])).rejects.toEqual(refused)
    await expect(readProof(db.sql, waits)).rejects.toEqual(refused)
  })

  it('still has its tiles as narrow as they were', async () => {
    await snapshot(db.sql, 'list', models(9))
    await keep()
    const [narrow, wide] = await Promise.all(
      [5, 12].map((width) => readTile(db.sql, { path: '', level: 0, name: `000.p/${width}` })),
    )
    expect([narrow!.length, wide!.length]).toEqual([5 * HASH_BYTES, 12 * HASH_BYTES])
    expect(wide!.subarray(0, narrow!.length).equals(narrow!)).toBe(true)
    const entries = unbundle(await readTile(db.sql, { path: '', level: 'entries', name: '000.p/5' }))
    expect(Buffer.concat(entries.map((leaf) => leafHash(leaf))).equals(narrow!)).toBe(true)
  })

  it('is signed by a key that was replaced no longer than was said then, whatever replaces the next', async () => {
    await rotateLogKey(db.sql, secretKey, { atOnce: false })
    const [, first] = await logKeys(db.sql)
    await rotateLogKey(db.sql, secretKey, { atOnce: false })
    const keys = await logKeys(db.sql)
    expect(keys.map(({ signsUntil }) => signsUntil === undefined)).toEqual([true, false, false])
    expect(keys[2]!.signsUntil).toBe(first!.signsUntil)
    expect(keys[1]!.signsUntil! > first!.signsUntil!).toBe(true)
    const checkpoint = await newest()
    expect(keys.map(({ publicKey }) => judgeSignature(checkpoint, publicKey))).toEqual(Array(3).fill('signed'))
    await rotateLogKey(db.sql, secretKey, { atOnce: true })
    expect((await logKeys(db.sql)).map(({ sealed }) => sealed !== undefined)).toEqual([true, false, false, false])
  })
})
