import { epochMs, HOUR, type Instant } from '../../lib/instant.ts'
import type { ReplayedEvent } from './outcomes.ts'

/** What a person said of a text that was first seen between two instants, by reading its changes. */
export type Label = { document: string; from: Instant; to: Instant; label: 'real' | 'noise'; reason: string }

/** How long after its text was first seen a real change is to be published. */
const IN_TIME_MS = 48 * HOUR

/**
 * How a replay did beside the labels. `missed` real changes made no event; `late` ones made it later than 48 hours after they were seen;
 * events that no one labelled have to be read.
 */
export type Measure = { real: number; noise: number; inTime: number; late: number; missed: number; unlabelled: number }

export function measure(events: ReplayedEvent[], labels: Label[]): Measure {
  const documents = new Set(events.map(({ document }) => document))
  const within =
    (label: Label) =>
    ({ document, seenAt }: ReplayedEvent) =>
      document === label.document && seenAt >= label.from && seenAt <= label.to
  const result: Measure = { real: 0, noise: 0, inTime: 0, late: 0, missed: 0, unlabelled: 0 }
  for (const label of labels) {
    const found = events.filter(within(label))
    if (label.label === 'noise') result.noise += found.length
    else if (found.length === 0) result.missed += documents.has(label.document) ? 1 : 0
    else {
      result.real++
      const inTime = found.some((event) => epochMs(event.publishedAt) - epochMs(label.from) <= IN_TIME_MS)
      result[inTime ? 'inTime' : 'late']++
    }
  }
  result.unlabelled = events.filter((event) => !labels.some((label) => within(label)(event))).length
  return result
}
