import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../src/lib/instant.ts'
import { keyId } from '../../src/lib/seal.ts'
import { rotateSecret } from '../../src/webhooks/manage/rotate-secret.ts'
import { countForeignSecrets } from '../../src/webhooks/subscriptions/count-foreign-secrets.ts'
import { getWebhook, listWebhooks } from '../../src/webhooks/subscriptions/list-webhooks.ts'
import { resealSecrets } from '../../src/webhooks/subscriptions/reseal-secrets.ts'
import { revealSecret } from '../../src/webhooks/subscriptions/reveal-secret.ts'
import { secretKeyIds, signingSecrets } from '../../src/webhooks/subscriptions/secret-store.ts'
import { testDatabase } from '../support/database.ts'
import { addProviders, addWebhook, addWorkspace, tools } from '../support/webhooks/subscriptions.ts'

const NOON = '2030-01-01T12:00:00.000Z' as Instant
const DAY_MS = 24 * 3_600_000
const key = tools.secretKey

describe('signing secrets', () => {
  const db = testDatabase()
  let workspaceId = ''
  beforeAll(async () => {
    await addProviders(db.sql, ['acme'])
    workspaceId = await addWorkspace(db.sql)
  })
  const newWebhook = async () => {
    const id = await addWebhook(db.sql, workspaceId)
    const ref = { workspaceId, id }
    return { id, ref, first: (await revealSecret(db.sql, key, ref)).secret }
  }
  const signing = (id: string, at: Instant) => signingSecrets(db.sql, key, id, at)

  it('can be revealed again, each webhook its own', async () => {
    const a = await newWebhook()
    const b = await newWebhook()
    expect(a.first).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    expect(a.first).not.toBe(b.first)
    expect(await revealSecret(db.sql, key, a.ref)).toEqual({ secret: a.first })
    expect(await signing(a.id, NOON)).toEqual([a.first])
  })

  it('sign beside their successor for exactly 24 hours after a rotation, newest first', async () => {
    const { id, ref, first } = await newWebhook()
    const rotated = await rotateSecret(db.sql, key, ref, NOON)
    expect(rotated.secret).not.toBe(first)
    expect(rotated.previousValidUntil).toBe(plus(NOON, DAY_MS))
    expect(await signing(id, NOON)).toEqual([rotated.secret, first])
    expect(await signing(id, plus(NOON, DAY_MS - 1))).toEqual([rotated.secret, first])
    expect(await signing(id, plus(NOON, DAY_MS))).toEqual([rotated.secret])
    expect(await revealSecret(db.sql, key, ref, plus(NOON, DAY_MS))).toEqual({ secret: rotated.secret })
  })

  it('are at most two: another rotation within 24 hours retires the oldest at once, and says so', async () => {
    const { id, ref, first } = await newWebhook()
    const second = await rotateSecret(db.sql, key, ref, NOON)
    expect(second.retiredEarlier).toBe(false)
    expect(await signing(id, plus(NOON, 500))).toEqual([second.secret, first])
    const third = await rotateSecret(db.sql, key, ref, plus(NOON, 1_000))
    expect(third).toMatchObject({ retiredEarlier: true, previousValidUntil: plus(NOON, 1_000 + DAY_MS) })
    expect(await signing(id, plus(NOON, 1_000))).toEqual([third.secret, second.secret])
    expect(await signing(id, plus(NOON, 1_000 + DAY_MS - 1))).toEqual([third.secret, second.secret])
    expect(await signing(id, plus(NOON, 1_000 + DAY_MS))).toEqual([third.secret])
    expect((await rotateSecret(db.sql, key, ref, plus(NOON, 1_000 + DAY_MS))).retiredEarlier).toBe(false)
  })

  it('have one newest among rotations at once', async () => {
    const { id, ref } = await newWebhook()
    const rotations = await Promise.all(Array.from({ length: 4 }, () => rotateSecret(db.sql, key, ref, NOON)))
    const newest = (await revealSecret(db.sql, key, ref, NOON)).secret
    expect(rotations.map(({ secret }) => secret)).toContain(newest)
    expect((await signing(id, NOON))[0]).toBe(newest)
    expect(await signing(id, plus(NOON, DAY_MS))).toEqual([newest])
  })

  it('are never stored in the clear, and open only for their own webhook', async () => {
    const a = await newWebhook()
    const b = await newWebhook()
    const [row] = await db.sql<{ sealed: Uint8Array }[]>`select sealed from webhook_secret where webhook_id = ${a.id}`
    const bare = Buffer.from(a.first.slice('whsec_'.length), 'base64')
    expect(Buffer.from(row!.sealed).includes(bare)).toBe(false)
    expect(Buffer.from(row!.sealed).toString('latin1')).not.toContain('whsec_')
    await db.sql`update webhook_secret set sealed = ${row!.sealed} where webhook_id = ${b.id}`
    await expect(signing(b.id, NOON)).rejects.toThrow()
    await db.sql`delete from webhook where webhook_id = ${b.id}`
  })

  it('move to another key and stay the same', async () => {
    const { id, ref, first } = await newWebhook()
    const next = randomBytes(32)
    const [row] = await db.sql<{ secrets: number }[]>`select count(*)::integer as secrets from webhook_secret`
    expect(await db.sql.begin((tx) => resealSecrets(tx, [key], next))).toBe(row!.secrets)
    await expect(signing(id, NOON)).rejects.toThrow('PRICETAPE_SECRET_KEY')
    expect(await signingSecrets(db.sql, next, id, NOON)).toEqual([first])
    expect(await revealSecret(db.sql, next, ref)).toEqual({ secret: first })
    await db.sql.begin((tx) => resealSecrets(tx, [next], key))
  })

  it('of another key are counted: after another key was set, all of them', async () => {
    await newWebhook()
    const [row] = await db.sql<{ secrets: number }[]>`select count(*)::integer as secrets from webhook_secret`
    expect(await countForeignSecrets(db.sql, key)).toBe(0)
    expect(await countForeignSecrets(db.sql, randomBytes(32))).toBe(row!.secrets)
    expect(await secretKeyIds(db.sql)).toEqual([keyId(key)])
  })

  it('are said to sign beside another of the webhook that was rotated alone, until that is over', async () => {
    const own = await addWorkspace(db.sql)
    const [kept, rotated] = [await addWebhook(db.sql, own), await addWebhook(db.sql, own)]
    const { previousValidUntil } = await rotateSecret(db.sql, key, { workspaceId: own, id: rotated })
    const shown = async () =>
      (await listWebhooks(db.sql, own)).map(({ id, previousSecretUntil }) => [id, previousSecretUntil])
    expect(await shown()).toEqual([
      [kept, undefined],
      [rotated, previousValidUntil],
    ])
    await db.sql`update webhook_secret set signs_until = clock_timestamp() - interval '1 s' where webhook_id = ${rotated}`
    expect(await getWebhook(db.sql, { workspaceId: own, id: rotated })).not.toHaveProperty('previousSecretUntil')
  })

  it('are not shown to another workspace', async () => {
    const { id } = await newWebhook()
    const other = { workspaceId: await addWorkspace(db.sql), id }
    await expect(revealSecret(db.sql, key, other)).rejects.toMatchObject({ code: 'not_found' })
    await expect(rotateSecret(db.sql, key, other)).rejects.toMatchObject({ code: 'not_found' })
  })
})
