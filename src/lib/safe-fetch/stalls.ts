/** A process that stood still for this long cannot say who was late. */
export const STALL_MS = 1_000
const TICK_MS = 200

/** Watches whether this process stands still. `longestMs` is for how long it did at most; `stop` ends the watch. */
export function watchStalls() {
  let longest = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last - TICK_MS)
    last = now
  }
  const timer = setInterval(look, TICK_MS)
  return {
    /** Read it where something has just failed: the timer may come later. */
    longestMs(): number {
      look()
      return longest
    },
    stop: () => clearInterval(timer),
  }
}
