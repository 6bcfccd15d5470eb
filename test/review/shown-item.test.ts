import { expect, it } from 'vitest'
import { shownItem } from '../../src/app/operator/review/shown.ts'
import type { QueueItem } from '../../src/review/schema.ts'

it('leaves out that prices of an item wait for the others, where another reason says more', () => {
  const item: Omit<QueueItem, 'reasons'> = {
    ...{ id: 'i', revision: 'r', kind: 'price', provider: 'acme', source: 'list', question: 'New?', endsBy: [] },
    ...{ resources: ['m'], texts: [], rows: [], openedAt: '2026-01-01T00:00:00.000Z' as QueueItem['openedAt'] },
  }
  const codes = (...reasons: string[]) => shownItem({ ...item, reasons }).reasons.map(({ code }) => code)
  expect(codes('to_zero', 'with_its_set', 'large_change')).toEqual(['to_zero', 'large_change'])
  expect(codes('with_its_set')).toEqual(['with_its_set'])
  expect(codes('to_zero')).toEqual(['to_zero'])
})
