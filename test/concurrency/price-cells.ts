import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { deleteGroup } from '../../src/aliases/delete-group.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import { claimSource } from '../../src/catalog/sources/source-store.ts'
import { DAY, type Instant, plus } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { restoreRow, withdrawRow } from '../../src/prices/review/correct-price.ts'
import { decideReview } from '../../src/prices/review/decide-review.ts'
import { replacePrice } from '../../src/prices/review/replace-price.ts'
import { reviewRevision } from '../../src/prices/review/revision-rules.ts'
import { openReview, openReviewItems } from '../../src/prices/store/review-store.ts'
import { model, models } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { type Cell, cell, type Setting } from './cell.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const WHO = { actor: 'ada', reason: 'seen on the price page' }
const MEMBERS = [{ provider: 'acme', resource: 'm' }]
const group = ({ sql }: Setting, given: object = {}) =>
  saveGroup(sql, { name: `Group ${randomUUID().slice(0, 8)}`, members: MEMBERS, actor: 'ada', ...given })
const groupNow = async (sql: Sql, id: string) => {
  const [row] = await sql`
    select g.revision, (select count(*)::int from alias_revision r where r.group_id = g.group_id) as revisions,
           (select count(*)::int from alias_member m where m.group_id = g.group_id and left_at is null) as members
    from alias_group g where group_id = ${id}`
  return [row!.revision, row!.revisions, row!.members]
}
/** A source, a provider and a model of its own, with a price that is published. */
async function published({ sql }: Setting, input = 0.000002) {
  const provider = `p-${randomUUID().slice(0, 8)}`
  const lines = [...models(8, { provider }), ...model(provider, input, { provider })]
  await snapshot(sql, provider, lines)
  const [row] = await sql<{ hash: string }[]>`
    select current_hash as hash from price_line
    where provider = ${provider} and resource = ${provider} and dimension = 'input_tokens'`
  return { provider, contentHash: row!.hash }
}
/** A price that waits for a person. */
async function held(setting: Setting) {
  const made = await published(setting)
  const { provider } = made
  await snapshot(setting.sql, provider, [...models(8, { provider }), ...model(provider, 0.00002, { provider })])
  const [item] = await openReviewItems(setting.sql, 1, { provider })
  return { ...made, reviewId: item!.reviewId }
}
/** The same, with the revision of what is shown of it. */
async function shownItem(setting: Setting) {
  const made = await held(setting)
  const item = await openReview(setting.sql, made.reviewId)
  return { ...made, revision: reviewRevision(item!) }
}
const statusesOf = async (sql: Sql, provider: string, status: string) => {
  const rows = await sql`
    select from price_status s join price_row r using (content_hash) join price_line l using (line_id)
    where l.provider = ${provider} and s.status = ${status}`
  return rows.count
}
const eventsOf = async (sql: Sql, provider: string, type: string) =>
  (await sql`select from event where provider = ${provider} and type = ${type}`).count

/** Groups, publications, reviews, corrections and sources. */
export const PRICE_CELLS: Cell[] = [
  cell('saving a group', 'that each of them has loaded', {
    prepare: group,
    act: (setting, { id, revision }, n) =>
      group(setting, { id, name: `Renamed ${n} ${id.slice(0, 8)}`, ifRevision: revision }),
    expected: { ok: 1, alias_changed: 49 },
    invariant: async ({ sql }, { id }) => expect(await groupNow(sql, id)).toEqual([2, 2, 1]),
  }),
  cell('saving a group', 'without regard to others', {
    prepare: group,
    act: (setting, { id }) => group(setting, { id }),
    expected: { ok: 50 },
    invariant: async ({ sql }, { id }) => expect(await groupNow(sql, id)).toEqual([51, 51, 1]),
  }),
  cell('creating a group', 'under one name', {
    prepare: async () => `Group ${randomUUID().slice(0, 8)}`,
    act: (setting, name) => group(setting, { name }),
    expected: { ok: 1, invalid_body: 49 },
    invariant: async ({ sql }, name) => expect((await sql`select from alias_group where name = ${name}`).count).toBe(1),
  }),
  cell('deleting a group', 'that there is', {
    prepare: group,
    act: ({ sql }, { id }) => deleteGroup(sql, { id, actor: 'ada' }),
    expected: { ok: 1, alias_not_found: 49 },
    invariant: async ({ sql }, { id }) => {
      expect(await groupNow(sql, id)).toEqual([2, 2, 0])
      expect((await sql`select from event where group_id = ${id} and type = 'alias.member_removed'`).count).toBe(1)
    },
  }),
  cell('publishing', 'at one moment', {
    prepare: async () => ({ stamps: [] as string[], seqs: [] as number[] }),
    act: ({ sql }, { stamps, seqs }) =>
      publishing(sql, async (_, stamp) => {
        stamps.push(stamp.at)
        seqs.push(stamp.nextSeq())
      }),
    expected: { ok: 50 },
    invariant: async (_, { stamps, seqs }) => {
      expect(new Set(stamps).size).toBe(50)
      expect(stamps).toEqual([...stamps].sort())
      expect(seqs).toEqual(seqs.map((_seq, n) => seqs[0]! + n))
    },
  }),
  cell('approving a review item', 'that is open', {
    prepare: held,
    act: ({ sql }, { reviewId }) => decideReview(sql, { reviewId, decision: 'approve', ...WHO }),
    expected: { ok: 1, not_found: 49 },
    invariant: async ({ sql }, { provider }) => {
      expect(await statusesOf(sql, provider, 'approved')).toBe(2)
      expect(await eventsOf(sql, provider, 'price.changed')).toBe(2)
    },
  }),
  cell('approving a review item', 'that all were shown', {
    prepare: shownItem,
    act: ({ sql }, { reviewId, revision }) => decideReview(sql, { reviewId, revision, decision: 'approve', ...WHO }),
    expected: { ok: 1, not_found: 49 },
    invariant: async ({ sql }, { provider }) => expect(await statusesOf(sql, provider, 'approved')).toBe(2),
  }),
  cell('approving a review item', 'that changed since all were shown it', {
    prepare: async (setting) => {
      const shown = await shownItem(setting)
      await setting.sql`
        update price_line set held_hash = current_hash
        where provider = ${shown.provider} and resource = ${shown.provider} and dimension = 'output_tokens'`
      return shown
    },
    act: ({ sql }, { reviewId, revision }) => decideReview(sql, { reviewId, revision, decision: 'approve', ...WHO }),
    expected: { review_changed: 50 },
    invariant: async ({ sql }, { provider, reviewId }) => {
      expect(await statusesOf(sql, provider, 'approved')).toBe(0)
      const open = await sql`select from review where review_id = ${reviewId} and decided_at is null`
      expect(open.count).toBe(1)
    },
  }),
  cell('approving and rejecting a review item', 'that is open', {
    prepare: held,
    act: ({ sql }, { reviewId }, n) =>
      decideReview(sql, { reviewId, decision: n % 2 === 0 ? 'approve' : 'reject', ...WHO }),
    expected: { ok: 1, not_found: 49 },
    invariant: async ({ sql }, { provider }) => {
      const decided = [await statusesOf(sql, provider, 'approved'), await statusesOf(sql, provider, 'rejected')]
      expect(decided.sort()).toEqual([0, 2])
      expect(await eventsOf(sql, provider, 'price.changed')).toBe(await statusesOf(sql, provider, 'approved'))
    },
  }),
  cell('withdrawing a price', 'that is published', {
    prepare: published,
    act: ({ sql }, { contentHash }) => withdrawRow(sql, { contentHash, ...WHO }),
    expected: { ok: 1, invalid_body: 49 },
    invariant: async ({ sql }, { provider }) => {
      expect(await statusesOf(sql, provider, 'withdrawn')).toBe(1)
      expect(await eventsOf(sql, provider, 'price.corrected')).toBe(1)
    },
  }),
  cell('restoring a price', 'that was withdrawn', {
    prepare: async (setting) => {
      const made = await published(setting)
      await withdrawRow(setting.sql, { contentHash: made.contentHash, ...WHO })
      return made
    },
    act: ({ sql }, { contentHash }) => restoreRow(sql, { contentHash, ...WHO }),
    expected: { ok: 1, invalid_body: 49 },
    invariant: async ({ sql }, { provider, contentHash }) => {
      expect(await eventsOf(sql, provider, 'price.corrected')).toBe(2)
      const open = await sql`select from publication where content_hash = ${contentHash} and unpublished_at is null`
      expect(open.count).toBe(1)
    },
  }),
  cell('correcting a price', 'that is published', {
    prepare: published,
    act: ({ sql }, { contentHash }, n) => replacePrice(sql, { contentHash, price: `0.00000${n + 30}`, ...WHO }),
    expected: { ok: 1, invalid_body: 49 },
    invariant: async ({ sql }, { provider }) => {
      expect(await eventsOf(sql, provider, 'price.corrected')).toBe(1)
      expect(await statusesOf(sql, provider, 'approved')).toBe(1)
    },
  }),
  cell('claiming a source', 'that is free', {
    prepare: async (setting) => ({ source: (await published(setting)).provider, claims: [] as unknown[] }),
    act: async ({ sql }, { source, claims }, n) => {
      const claim = await claimSource(sql, { source, id: randomUUID(), now: AT, until: plus(AT, DAY + n) })
      if (claim) claims.push(claim)
    },
    expected: { ok: 50 },
    invariant: async (_, { claims }) => expect(claims).toHaveLength(1),
  }),
]
