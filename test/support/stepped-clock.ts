import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'

/** Caches ask the clock once a millisecond at most. */
const SEEN_AFTER_MS = 10

/** Stops the clock of this process, `performance.now()`, until the test is over. Returns what sets it forward by seconds. */
export function steppedClock(): (seconds: number) => Promise<void> {
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now)
  onTestFinished(() => clock.mockRestore())
  return async (seconds) => {
    now += seconds * 1_000
    clock.mockReturnValue(now)
    await sleep(SEEN_AFTER_MS)
  }
}
