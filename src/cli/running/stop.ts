const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** What a shell reports for a program ended by Ctrl-C. */
export const INTERRUPTED = 130

/**
 * Resolves when a person or the system requests a stop. A second request ends the process at once: the processes we
 * started notice, and end too.
 */
export function stopRequested(onSecond: () => void): Promise<string> {
  let requested = false
  return new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (requested) {
          onSecond()
          process.exit(INTERRUPTED)
        }
        requested = true
        resolve(signal)
      })
    }
  })
}
