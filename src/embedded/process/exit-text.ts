import type { Exit } from './child.ts'

const LONGEST = 200

/** How a process ended, in a few words: its exit code or signal, and the last thing it said. */
export function exitText({ code, signal, lines, refusal }: Exit): string {
  const how = signal ?? (code === undefined ? 'it could not be run' : `exit code ${code}`)
  const words = refusal?.message ?? lastWords(lines)
  return words ? `${how}: ${words}` : how
}

/** The line that most likely says why a process ended: the last that names an error, else the last one. */
export function lastWords(lines: string[]): string | undefined {
  const spoken = lines.map(plain).filter((line) => line !== '')
  const line = spoken.findLast((text) => /error|fatal|panic|unable|cannot/i.test(text)) ?? spoken.at(-1)
  return line?.slice(0, LONGEST)
}

/** A log line in JSON as its message; anything else as it is. */
function plain(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } }
    return [msg, err?.message].filter(Boolean).join(': ').trim()
  } catch {
    return line.replace(/^[\d-]+ [\d:.]+ UTC \[\d+\] */, '').trim()
  }
}
