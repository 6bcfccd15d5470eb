import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 1_000
const ANSWER_WITHIN_MS = 3_000
/** pino's level of a warning. */
const WARN = 40

export type Report = { at: number; text: string }

/** Gathers what the installation says is wrong: warnings and errors of its log, and the reasons of /readyz. */
export function gatherReports(output: Readable, url: string, over: () => boolean) {
  const reports: Report[] = []
  createInterface({ input: output }).on('line', (line) => {
    const { level, msg } = parse(line)
    if (level >= WARN) reports.push({ at: Date.now(), text: `log: ${msg}` })
  })
  async function look() {
    while (!over()) {
      const health = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
        .then((response) => response.json() as Promise<{ reasons?: Reason[]; degraded?: Reason[] }>)
        .catch(() => undefined)
      for (const { code, message } of [...(health?.reasons ?? []), ...(health?.degraded ?? [])])
        reports.push({ at: Date.now(), text: `readyz: ${code}: ${message}` })
      await sleep(LOOK_EVERY_MS)
    }
  }
  return {
    done: look(),
    /** Returns the first report from an instant on that says this. */
    first: (from: number, says: RegExp) => reports.find(({ at, text }) => at >= from && says.test(text)),
    between: (from: number, until: number) => reports.filter(({ at }) => at >= from && at <= until),
  }
}
type Reason = { code: string; message: string }

function parse(line: string): { level: number; msg: string } {
  try {
    return JSON.parse(line) as { level: number; msg: string }
  } catch {
    return { level: 0, msg: line }
  }
}
