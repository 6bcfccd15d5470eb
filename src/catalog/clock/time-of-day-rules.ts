const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']
/** Public holidays, `!` for all days but those; of a country where one is named: `PH:CN`. */
const HOLIDAYS = /^!?PH(:[A-Z]{2})?$/
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d`
const WINDOW = new RegExp(`^(${TIME}Z?)-(${TIME}Z?|24:00Z?)$`)

/**
 * Returns the one spelling of when a price holds, so that a line keeps its identity however its source writes it:
 * `16:30Z-00:30Z`, `Mo-Fr,!PH:CN 09:00-12:00,14:00-18:00 Asia/Shanghai`. Undefined for anything else.
 *
 * Days come first, then windows of time, then the zone: `Z` at each time is UTC, otherwise a name of the IANA. Days are
 * those of the zone on which a window begins. A window that ends before it begins ends on the next day.
 */
export function canonicalTimeOfDay(text: string): string | undefined {
  const parts = text.trim().split(/\s+/)
  const at = parts.findIndex((part) => /^\d/.test(part))
  if (at < 0 || at > 1 || parts.length > at + 2) return undefined
  const days = at === 1 ? canonicalDays(parts[0]!.split(',')) : ''
  const windows = canonicalWindows(parts[at]!.split(','))
  const zone = parts[at + 1]
  if (days === undefined || windows === undefined) return undefined
  const isUtc = windows.includes('Z')
  if (isUtc ? zone !== undefined : !isZone(zone)) return undefined
  return [days, windows, zone].filter(Boolean).join(' ')
}

/** Days in the order of the week, three or more in a row as a range, then holidays. Empty for all days. */
function canonicalDays(items: string[]): string | undefined {
  const week = new Set<number>()
  const holidays = new Set<string>()
  for (const item of items) {
    if (HOLIDAYS.test(item)) holidays.add(item)
    else {
      const [from, until] = item.split('-').map((day) => DAYS.indexOf(day))
      if (from === undefined || from < 0 || (until ?? from) < 0 || item.split('-').length > 2) return undefined
      for (let day = from; ; day = (day + 1) % DAYS.length) {
        week.add(day)
        if (day === (until ?? from)) break
      }
    }
  }
  // Every day of the week and holidays beside them: that is every day.
  if (week.size === DAYS.length && [...holidays].every((item) => !item.startsWith('!'))) return ''
  return [...ranges([...week].sort()), ...[...holidays].sort()].join(',')
}

function ranges(days: number[]): string[] {
  const runs: number[][] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run && run.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  return runs.flatMap((run) =>
    run.length > 2 ? [`${DAYS[run[0]!]}-${DAYS[run.at(-1)!]}`] : run.map((day) => DAYS[day]!),
  )
}

/** Windows in order; all in UTC, or none. */
function canonicalWindows(items: string[]): string | undefined {
  const windows = items.filter((item) => {
    const [, from, , until] = WINDOW.exec(item) ?? []
    return from !== undefined && until !== undefined && from !== until && from.endsWith('Z') === until.endsWith('Z')
  })
  if (windows.length !== items.length || new Set(windows).size !== windows.length) return undefined
  const inUtc = windows.filter((window) => window.includes('Z')).length
  return inUtc === 0 || inUtc === windows.length ? windows.sort().join(',') : undefined
}

function isZone(name: string | undefined): boolean {
  if (name === undefined || !name.includes('/')) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== undefined
  } catch {
    return false
  }
}
