const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** What a shell reports for a program ended by Ctrl-C. */
export const INTERRUPTED = 130

/**
 * Settles when a person or the system asks us to stop. Asking a second time ends the process at once: the servers we
 * started notice, and end too.
 */
export function stopAsked(onSecond: () => void): Promise<string> {
  let asked = false
  return new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (asked) {
          onSecond()
          process.exit(INTERRUPTED)
        }
        asked = true
        resolve(signal)
      })
    }
  })
}
