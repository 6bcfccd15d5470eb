/** A process that stood still for this long cannot say who was late. */
export const STALL_MS = 1_000
const TICK_MS = 100
/** A timer is a little late where a process has much to do. Only more than this is standing still. */
const LATE_MS = 100

/**
 * Watches whether this process stands still: once for long, or again and again, as where it gets no processor. `stop`
 * ends the watch.
 */
export function watchStalls() {
  let longest = 0
  let total = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    const late = now - last - TICK_MS
    longest = Math.max(longest, late)
    if (late > LATE_MS) total += late
    last = now
  }
  const timer = setInterval(look, TICK_MS)
  return {
    /** How long it stood still at most. Read it where something has just failed: the timer may come later. */
    longestMs(): number {
      look()
      return longest
    },
    /** How long it stood still in all. */
    totalMs(): number {
      look()
      return total
    },
    stop: () => clearInterval(timer),
  }
}
