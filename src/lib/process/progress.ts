/** Lines for a person who watches a start. A passing line replaces the one before it on a terminal. */
export type Progress = { say(line: string): void; passing(line: string): void }

/** Passing lines come no faster than this where there is no terminal to overwrite them on. */
const PASSING_EVERY_MS = 15_000

export function progressTo(out: NodeJS.WriteStream): Progress {
  const terminal = out.isTTY === true
  let shown = false
  let last = Date.now()
  const wipe = () => {
    if (shown) out.write('\r\u001b[2K')
    shown = false
  }
  return {
    say: (line) => {
      wipe()
      out.write(`${line}\n`)
    },
    passing: (line) => {
      if (terminal) {
        wipe()
        out.write(line.slice(0, (out.columns ?? 80) - 1))
        shown = true
      } else if (Date.now() - last > PASSING_EVERY_MS) {
        out.write(`${line}\n`)
        last = Date.now()
      }
    },
  }
}

export const silent: Progress = { say: () => {}, passing: () => {} }
