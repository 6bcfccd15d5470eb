import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { declareRestore } from '../../src/catalog/clock/begin-restored-timeline.ts'
import { sha256 } from '../../src/lib/hash.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { withdrawRow } from '../../src/prices/review/correct-price.ts'
import { installationId } from '../../src/proof/changes-store.ts'
import { judgeSignature, readCheckpoint } from '../../src/proof/checkpoint-rules.ts'
import { keepLog } from '../../src/proof/keep-log.ts'
import { logKeys, replaceKeys } from '../../src/proof/keys/key-store.ts'
import { readKeys } from '../../src/proof/keys/read-keys.ts'
import { BOTH_SIGN_MS, rotateLogKey } from '../../src/proof/keys/rotate-log-key.ts'
import { logState } from '../../src/proof/log-store.ts'
import { readPageProof } from '../../src/proof/read-page-proof.ts'
import { readConsistency, readProof } from '../../src/proof/read-proof.ts'
import { appendLeaves } from '../../src/proof/tree/append-leaves.ts'
import { leafHash } from '../../src/proof/tree/hash-rules.ts'
import { readLeaf, unbundle } from '../../src/proof/tree/leaf-rules.ts'
import { readTile } from '../../src/proof/tree/read-tile.ts'
import { isConsistent, rootOfInclusion } from '../../src/proof/tree/tree-rules.ts'
import { models, observed } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'
import { seedProviders } from '../support/prices.ts'

const db = testDatabase({ each: true })
const secretKey = randomBytes(32)
const names = { logOrigin: 'log.test/prices' }
const keep = (sql: Sql = db.sql) => keepLog({ sql, names, secretKey })

const decoded = (hashes: string[]) => hashes.map((text) => Buffer.from(text, 'base64'))
const hashesOf = async () =>
  (await db.sql<{ hash: string }[]>`select content_hash as hash from publication order by 1`).map(({ hash }) => hash)

/** Every leaf there is, read from the files of entries. */
async function leaves(path = '') {
  const { lastSize } = (await readKeys(db.sql)).origins.findLast((one) => one.path === path)!
  const size = lastSize ?? readCheckpoint((await readConsistency(db.sql, 0)).checkpoint)!.size
  const parts = Array.from({ length: Math.ceil(size / 256) }, (_, n) => {
    const width = Math.min(256, size - n * 256)
    return readTile(db.sql, {
      path,
      level: 'entries',
      name: String(n).padStart(3, '0') + (width < 256 ? `.p/${width}` : ''),
    })
  })
  return (await Promise.all(parts)).flatMap((part) => unbundle(part)).map((leaf) => readLeaf(leaf.toString())!)
}

/** Checks a proof as a reader does. */
async function proven(contentHash: string): Promise<boolean> {
  const proof = await readProof(db.sql, contentHash)
  const { size, root } = readCheckpoint(proof.checkpoint)!
  const found = rootOfInclusion(
    { index: proof.leafIndex, size },
    leafHash(Buffer.from(proof.leaf)),
    decoded(proof.hashes),
  )
  return sha256(proof.row) === contentHash && found !== undefined && found.equals(root)
}

describe('the publication log', () => {
  it('begins empty, for the history that the database was made with, of an installation that has not started', async () => {
    expect(await logState(db.sql)).toMatchObject({ size: 0, afterSeq: 0, timeline: undefined, origin: undefined })
    expect(await installationId(db.sql)).toBe('new')
  })

  it('has a leaf of each row and provider, in the order of publications, and proves every row', async () => {
    await snapshot(db.sql, 'list', models(180))
    await keep()
    const said = await leaves()
    expect(said.slice(0, 3)).toMatchObject([
      { kind: 'origin', origin: 'log.test/prices', reason: 'installed' },
      { kind: 'provider', provider: 'acme', status: 'active' },
      { kind: 'row', status: 'auto_approved' },
    ])
    expect(said).toHaveLength(362)
    const bundle = await readTile(db.sql, { path: '', level: 'entries', name: '001.p/106' })
    const tile = await readTile(db.sql, { path: '', level: 0, name: '001.p/106' })
    expect(tile.equals(Buffer.concat(unbundle(bundle).map(leafHash)))).toBe(true)
    const hashes = await hashesOf()
    expect(hashes).toHaveLength(360)
    for (const hash of hashes.filter((_, n) => n % 97 === 0)) expect(await proven(hash)).toBe(true)
  })

  it('appends what was published since, and every earlier checkpoint is consistent with the newest', async () => {
    const checkpoints = []
    for (let n = 1; n <= 5; n++) {
      await snapshot(db.sql, 'list', models(n * 30))
      await keep()
      checkpoints.push(readCheckpoint((await readConsistency(db.sql, 0)).checkpoint)!)
    }
    for (const earlier of checkpoints) {
      const { hashes, checkpoint } = await readConsistency(db.sql, earlier.size)
      expect(isConsistent(earlier, readCheckpoint(checkpoint)!, decoded(hashes))).toBe(true)
    }
    const sizes = checkpoints.map(({ size }) => size)
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b))
  })

  it('proves a row after a whole tile of providers', async () => {
    const providers = Array.from({ length: 300 }, (_, n) => ({ provider: `provider-${n}` }))
    await seedProviders(db.sql, undefined, providers)
    await snapshot(db.sql, 'list', models(5))
    await keep()
    const tiles = await db.sql<{ afterSeq: string }[]>`select after_seq as "afterSeq" from log_entries order by tile`
    expect(tiles.map(({ afterSeq }) => afterSeq)).toEqual(['0', '0'])
    for (const hash of await hashesOf()) expect(await proven(hash)).toBe(true)
  })

  it('is the same whichever parts it is written in', async () => {
    await snapshot(db.sql, 'list', models(30))
    await snapshot(db.sql, 'other', [observed('x', 'input_tokens', '1', { provider: 'zeta' })])
    await snapshot(db.sql, 'list', models(50))
    for (let done = false; !done; ) done = (await appendLeaves(db.sql, names, 7)).done
    await keep()
    const inParts = await leaves()
    await db.sql`truncate log_checkpoint, log_origin, log_tile, log_entries`
    await db.sql`update log_state set size = 0, after_seq = 0, after_at = '0001-01-01T00:00:00Z', origin = null, timeline_id = null`
    await keep()
    const atOnce = await leaves()
    expect(inParts.slice(1)).toEqual(atOnce.slice(1))
    expect(inParts.filter(({ kind }) => kind === 'provider').length).toBeGreaterThan(1)
  })

  it('has a leaf of the end of a publication', async () => {
    await snapshot(db.sql, 'list', models(20))
    await keep()
    const before = (await leaves()).length
    const hash = (await hashesOf())[0]!
    await withdrawRow(db.sql, { contentHash: hash, actor: 'ops@acme.test', reason: 'wrong' })
    await keep()
    expect((await leaves()).slice(before)).toMatchObject([{ kind: 'row', contentHash: hash, status: 'withdrawn' }])
  })

  it('is not signed again where nothing was published', async () => {
    await snapshot(db.sql, 'list', models(5))
    await keep()
    const first = await readConsistency(db.sql, 0)
    expect(await keep()).toMatchObject({ leaves: 0, done: true })
    expect(await readConsistency(db.sql, 0)).toEqual(first)
  })

  it('refuses a row that never was, and says when one is too new', async () => {
    await snapshot(db.sql, 'list', models(5))
    await expect(readProof(db.sql, '0'.repeat(64))).rejects.toMatchObject({
      code: 'row_not_logged',
      message: expect.stringContaining('was ever published'),
    })
    await keep()
    await snapshot(
      db.sql,
      'list',
      models(5).map((line, n) => (n === 0 ? { ...line, price: '0.5' } : line)),
    )
    const [held] = await db.sql<{ hash: string }[]>`
      select content_hash as hash from price_row where content_hash not in (select content_hash from publication)`
    await expect(readProof(db.sql, held!.hash)).rejects.toMatchObject({ code: 'row_not_logged' })
    await snapshot(db.sql, 'list', models(6))
    const newest = (await db.sql`select content_hash as hash from publication order by published_at desc limit 1`)[0]!
    await expect(readProof(db.sql, newest.hash)).rejects.toMatchObject({
      code: 'row_not_logged',
      message: expect.stringContaining('five minutes'),
    })
    const first = (await db.sql`select content_hash as hash from publication order by published_at limit 1`)[0]!
    expect((await readPageProof(db.sql, [first.hash])).rows).toHaveLength(1)
    for (const hash of [newest.hash, '0'.repeat(64)])
      await expect(readPageProof(db.sql, [first.hash, hash])).rejects.toMatchObject({
        code: 'row_not_logged',
        message: expect.stringContaining(`Row ${hash} is in no signed part`),
      })
    await keep()
    expect(await proven(newest.hash)).toBe(true)
    await expect(readConsistency(db.sql, 999)).rejects.toMatchObject({ code: 'log_shorter' })
  })

  it('is signed by the new key alone after a rotation at once, and the private half of the old one is forgotten', async () => {
    await snapshot(db.sql, 'list', models(5))
    await keep()
    const [old] = await logKeys(db.sql)
    await rotateLogKey(db.sql, secretKey, { atOnce: true })
    const checkpoint = readCheckpoint((await readConsistency(db.sql, 0)).checkpoint)!
    const keys = (await logKeys(db.sql)).map(({ publicKey, sealed }) => ({
      isOld: publicKey.equals(old!.publicKey),
      judged: judgeSignature(checkpoint, publicKey),
      hasPrivateHalf: sealed !== undefined,
    }))
    expect(keys).toEqual([
      { isOld: false, judged: 'signed', hasPrivateHalf: true },
      { isOld: true, judged: 'absent', hasPrivateHalf: false },
    ])
    // A log that goes on under another name goes on without it.
    await keepLog({ sql: db.sql, names: { logOrigin: 'log.test/other' }, secretKey })
    expect((await readKeys(db.sql)).keys.map(({ origin, lastSize }) => [origin, lastSize])).toEqual([
      ['log.test/other', null],
      ['log.test/prices', checkpoint.size],
      ['log.test/prices', checkpoint.size],
    ])
  })

  it('replaces a key at once in each part of a millisecond', async () => {
    await keep()
    await db.sql.begin(async (tx) => {
      for (let n = 0; n < 50; n++) {
        await replaceKeys(tx, 0)
        expect((await logKeys(tx)).map(({ isOver }) => isOver)).toEqual([true])
        await tx`update log_key set signs_until = null`
      }
    })
  })

  it('is signed by both keys after a rotation, then by the new one alone, and lists what each signed', async () => {
    await snapshot(db.sql, 'list', models(5))
    await keep()
    const [old] = (await logKeys(db.sql)).map(({ publicKey }) => publicKey)
    const verifier = await rotateLogKey(db.sql, secretKey, { atOnce: false })
    const next = Buffer.from(verifier.split('+').slice(2).join('+'), 'base64').subarray(1)
    expect((await readKeys(db.sql)).keys[0]!.verifier).toBe(verifier)
    const signers = async () => {
      const checkpoint = readCheckpoint((await readConsistency(db.sql, 0)).checkpoint)!
      return [old!, next].map((key) => judgeSignature(checkpoint, key))
    }
    expect(await signers()).toEqual(['signed', 'signed'])
    expect(BOTH_SIGN_MS).toBe(30 * 86_400_000)
    await db.sql`update log_key set signs_until = clock_timestamp() - interval '1 s' where signs_until is not null`
    // Also where nothing was published since.
    await keep()
    expect(await signers()).toEqual(['absent', 'signed'])
    await snapshot(db.sql, 'list', models(6))
    await keep()
    expect(await signers()).toEqual(['absent', 'signed'])
    const { keys } = await readKeys(db.sql)
    expect(keys.map(({ lastSize }) => lastSize)).toEqual([null, 12])
    expect((await logKeys(db.sql)).map(({ sealed }) => sealed !== undefined)).toEqual([true, false])
  })

  it('goes on under another origin after a restore, with a leaf that says so, and keeps what was signed before', async () => {
    await snapshot(db.sql, 'list', models(5))
    await keep()
    const before = readCheckpoint((await readConsistency(db.sql, 0)).checkpoint)!
    await declareRestore(db.sql)
    await snapshot(db.sql, 'list', models(6))
    await keep()
    const { origin, origins, keys } = await readKeys(db.sql)
    expect(keys.map((key) => [key.origin, key.until])).toEqual([
      [origin, null],
      ['log.test/prices', origins[1]!.since],
    ])
    expect(origin).toMatch(/^log\.test\/prices\/[0-9a-f]{8}$/)
    expect(origins).toMatchObject([
      { origin: 'log.test/prices', path: '', firstSize: 0, lastSize: before.size },
      {
        origin,
        reason: 'restored',
        path: origin.slice('log.test/prices'.length),
        firstSize: before.size,
        lastSize: null,
      },
    ])
    const [timeline] = await db.sql<{ startedAt: string }[]>`
      select started_at as "startedAt" from history_timeline order by started_at desc limit 1`
    expect(origins[1]!.since).toBe(timeline!.startedAt)
    expect((await leaves(origins[1]!.path))[before.size]).toMatchObject({
      kind: 'origin',
      at: timeline!.startedAt,
      origin,
      previousOrigin: 'log.test/prices',
      reason: 'restored',
    })
    const { hashes, checkpoint } = await readConsistency(db.sql, before.size)
    expect(isConsistent(before, readCheckpoint(checkpoint)!, decoded(hashes))).toBe(true)
    expect(await leaves()).toHaveLength(before.size)
    const more = { level: 'entries' as const, name: `000.p/${before.size + 1}` }
    await expect(readTile(db.sql, { path: '', ...more })).rejects.toMatchObject({ code: 'not_found' })
    expect(await readTile(db.sql, { path: origins[1]!.path, ...more })).toBeInstanceOf(Buffer)
  })

  it('takes another name when that is set, and never one it had', async () => {
    await snapshot(db.sql, 'list', models(5))
    await keep()
    await keepLog({ sql: db.sql, names: { logOrigin: 'log.test/other' }, secretKey })
    expect((await readKeys(db.sql)).origin).toBe('log.test/other')
    expect((await leaves()).at(-1)).toMatchObject({ kind: 'origin', reason: 'renamed' })
    await expect(keep()).rejects.toThrow(/a name it never had/)
    await keepLog({ sql: db.sql, names: { publicUrl: 'https://moved.test/' }, secretKey })
    expect((await readKeys(db.sql)).origin).toBe('log.test/other')
  })

  it('does not sign over what it signed: tiles that differ are refused', async () => {
    await snapshot(db.sql, 'list', models(5))
    await keep()
    await db.sql`update log_tile set hashes = set_byte(hashes, 3, (get_byte(hashes, 3) + 1) % 256)`
    await snapshot(db.sql, 'list', models(6))
    await expect(keep()).rejects.toThrow(/does not begin with/)
  })
})
