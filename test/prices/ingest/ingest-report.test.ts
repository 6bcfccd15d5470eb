import { expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import {
  addReports,
  countAnnounced,
  countPlan,
  countPublished,
  startReport,
  tallyDuplicates,
} from '../../../src/prices/ingest/ingest-report.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant
const start = (suppressed: Record<string, number> = {}) =>
  startReport('list', { lines: 9, diff: { unchanged: 4 } as never, suppressed })

it('a report begins with what was read: nothing is published yet', () => {
  expect(start({ not_a_price: 2 })).toEqual({
    ...{ source: 'list', lines: 9, unchanged: 4, published: 0, changed: 0, revised: 0, missing: 0 },
    ...{ resourcesAdded: 0, resourcesRemoved: 0, resourcesRenamed: 0 },
    ...{ held: {}, questions: {}, suppressed: { not_a_price: 2 }, events: {} },
  })
})

it('lines that a snapshot has more than once are counted together, where there are any', () => {
  const counted = (duplicates: Parameters<typeof tallyDuplicates>[1]) => {
    const suppressed = {}
    tallyDuplicates(suppressed, duplicates)
    return suppressed
  }
  const twice = (count: number) => ({ count, example: 'x' })
  expect(counted({})).toEqual({})
  expect(counted({ same: twice(1) })).toEqual({ duplicate_line: 1 })
  expect(counted({ other: twice(2) })).toEqual({ duplicate_line: 2 })
  expect(counted({ same: twice(2), other: twice(3) })).toEqual({ duplicate_line: 5 })
})

it('a plan is counted by what it does, held lines by each of their reasons, questions in resources', () => {
  const report = start()
  const publish = ['new', 'changed', 'changed', 'revised'].map((kind) => ({ kind }))
  const hold = [['a', 'b'], ['b']].map((reasons) => ({ verdict: { reasons } }))
  const toReview = [
    { reason: 'gone', resources: ['x', 'y'] },
    { reason: 'gone', resources: ['z'] },
  ]
  const plan = { publish, hold, toReview, released: [{}, {}], missing: [{}], removed: [{}, {}, {}], renamed: [{}] }
  countPlan(report, plan as never)
  expect(report).toMatchObject({
    ...{ published: 6, changed: 2, revised: 1, missing: 1, resourcesRemoved: 3, resourcesRenamed: 1 },
    ...{ held: { a: 1, b: 2 }, questions: { gone: 3 } },
  })
})

it('what is announced and not kept is counted by reason', () => {
  const counted = (upcoming: number, kept: number, suppressed = {}) => {
    const report = start()
    countAnnounced(report, { upcoming: Array(upcoming).fill({}), suppressed } as never, Array(kept).fill({}))
    return report.suppressed
  }
  expect(counted(2, 2)).toEqual({})
  expect(counted(3, 2, { announced_twice: 4 })).toEqual({ announced_twice: 4, announced_implausible: 1 })
})

it('the parts of a publication are added, and say when it was', () => {
  const report = start()
  countPublished(report, { at: AT, rows: 3 })
  expect(report).toEqual({ ...start(), at: AT, published: 3 })
  const recorded = { ids: [], events: { 'price.changed': 2 }, suppressed: { first_snapshot: 4 } }
  for (const suppressed of [0, 1]) countPublished(report, { at: AT, rows: 0, resourcesAdded: 2, recorded, suppressed })
  expect(report).toEqual({
    ...{ ...start(), at: AT, published: 3, resourcesAdded: 4, events: { 'price.changed': 4 } },
    suppressed: { first_snapshot: 8, volatile: 1 },
  })
})

it('the second part of a snapshot finds unchanged what the first had published', () => {
  const part = (published: number, events: Record<string, number>) => ({
    ...{ ...start(), published, unchanged: published, resourcesAdded: published, events },
  })
  expect(addReports(part(3, { a: 1 }), part(2, { a: 2, b: 1 }))).toEqual({
    ...{ ...start(), published: 5, unchanged: 3, resourcesAdded: 5, events: { a: 3, b: 1 } },
  })
})
