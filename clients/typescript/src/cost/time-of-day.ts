/** Days, windows and a zone; only the windows are required. */
const TIMES = /^(\D\S* )?\d\d:\d\dZ?-\d\d:\d\dZ?(,\d\d:\d\dZ?-\d\d:\d\dZ?)*( [A-Z]\S+\/\S+)?$/
const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

/**
 * Whether an instant lies in a `timeOfDay` tier, such as `Mo-Fr,!PH:CN 09:00-12:00 Asia/Shanghai`. Which days are public
 * holidays is not known here: no day counts as one. A tier in other words never holds.
 */
export function holdsAt(timeOfDay: string, at: string): boolean {
  if (!TIMES.test(timeOfDay)) return false
  const parts = timeOfDay.split(' ')
  const first = parts.findIndex((part) => /^\d/.test(part))
  const days = first === 1 ? parts[0]!.split(',') : []
  const windows = (parts[first] ?? '').replaceAll('Z', '').split(',')
  const { day, time } = localTime(at, parts[first + 1] ?? 'UTC')
  return windows.some((window) => {
    const [from = '', until = ''] = window.split('-')
    if (from < until) return isOn(days, day) && from <= time && time < until
    return (isOn(days, day) && from <= time) || (isOn(days, (day + 6) % 7) && time < until)
  })
}

function localTime(at: string, timeZone: string): { day: number; time: string } {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const part = Object.fromEntries(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))
  return { day: DAYS.indexOf(part.weekday!.slice(0, 2)), time: `${part.hour}:${part.minute}` }
}

/** Days are a list of `Mo-Fr`, `Sa`, `PH` and `!PH`; an empty list and one of `!PH` alone mean every day. */
function isOn(days: string[], day: number): boolean {
  const named = days.filter((item) => !item.startsWith('!'))
  return named.length === 0 || named.some((item) => isIn(item, day))
}

function isIn(item: string, day: number): boolean {
  const [from = -1, until = from] = item.split('-').map((name) => DAYS.indexOf(name))
  if (from < 0) return false
  return from <= until ? from <= day && day <= until : day >= from || day <= until
}
