import type { RawChange } from '../../../src/prices/replay/raw-change-rules.ts'
import { day } from '../observed.ts'

/** A change of a price from 1 to 2 on the first day, which its source still lists. */
export const rawChange = (more: Partial<RawChange> = {}): RawChange => ({
  key: '["acme","m1"]',
  set: 'm1 on day 1',
  at: day(1),
  before: '1',
  after: '2',
  kind: 'ordinary',
  sellers: [],
  ...more,
})
