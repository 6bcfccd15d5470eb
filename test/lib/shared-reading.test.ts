import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sharedReading } from '../../src/lib/shared-reading.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

it('those who come together or soon after share one reading, and who comes later has another', async () => {
  let count = 0
  const read = sharedReading(5_000, async () => ++count)
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  vi.advanceTimersByTime(5_000)
  expect(await read()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await read()).toBe(2)
  vi.advanceTimersByTime(5_000)
  expect(await read()).toBe(2)
})
