import { canonicalTimeOfDay } from '../../../catalog/clock/time-of-day-rules.ts'

const TIME = String.raw`(\d{2}:\d{2}) ?[-–] ?(\d{2}:\d{2})`
const SENTENCE = new RegExp(
  `Peak hours are ${TIME}(?:,? and ${TIME})? UTC(, Monday through Friday)?(, excluding Chinese public holidays)?`,
)

/**
 * The hours of a sentence such as `Peak hours are 01:00 - 04:00 and 06:00 - 10:00 UTC, Monday through Friday`, as a
 * `timeOfDay`; undefined where there is no such sentence or it says more.
 */
export function peakHours(text: string): string | undefined {
  const [matched, from, until, from2, until2, weekdays, holidays] = SENTENCE.exec(text) ?? []
  if (!matched) return undefined
  // Anything but the end of the sentence or a remark in brackets is a condition of another kind.
  if (!/^\s*(?:[.(]|$)/.test(text.slice(text.indexOf(matched) + matched.length))) return undefined
  const days = [weekdays && 'Mo-Fr', holidays && '!PH:CN'].filter(Boolean).join(',')
  const windows = [`${from}Z-${until}Z`, from2 && `${from2}Z-${until2}Z`].filter(Boolean).join(',')
  return canonicalTimeOfDay(`${days} ${windows}`)
}
