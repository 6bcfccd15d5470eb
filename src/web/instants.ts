/** `2026-03-01 12:34:56.5 UTC`, without seconds where they are zero: nothing of the instant is lost. */
export function exactInstant(instant: string): string {
  const [day, time = ''] = instant.replace(/Z$/, '').split('T')
  const exact = time.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
  return `${day} ${exact.replace(/^(\d\d:\d\d):00$/, '$1')} UTC`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `1 Jan 2027`, with the time where it is not midnight: from when something will hold. */
export function shownDay(instant: string): string {
  const [year, month, day] = instant.slice(0, 10).split('-').map(Number)
  const date = `${day} ${MONTHS[month! - 1]} ${year}`
  return instant.slice(11, 16) === '00:00' ? date : `${date}, ${instant.slice(11, 16)} UTC`
}

/** `1 Jan`: of an instant within a year, where there is little room. */
export const shortDay = (instant: string): string => {
  const [, month, day] = instant.slice(0, 10).split('-').map(Number)
  return `${day} ${MONTHS[month! - 1]}`
}

/** `2026-03-01 12:34 UTC`: for what was recorded, where the second tells nothing. */
export const toTheMinute = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`
