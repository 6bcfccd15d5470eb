import { expect, it } from 'vitest'
import { segmentsBetween } from '../../src/embedded/backup/wal-rules.ts'

it('The segments of a log are named from one to another, on the timeline of the first', () => {
  expect(segmentsBetween('000000010000000000000004', '000000010000000000000004')).toEqual(['000000010000000000000004'])
  expect(segmentsBetween('0000000A00000001000000FE', '0000000A0000000200000001')).toEqual([
    '0000000A00000001000000FE',
    '0000000A00000001000000FF',
    '0000000A0000000200000000',
    '0000000A0000000200000001',
  ])
})
