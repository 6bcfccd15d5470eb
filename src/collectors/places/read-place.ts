import { LimitExceededError, TaskFailedError } from '../../lib/isolation/errors.ts'
import type { Isolation } from '../../lib/isolation/isolation.ts'
import { defineTask } from '../../lib/isolation/task.ts'
import { limitsFor } from '../reading-limits.ts'
import type { Place } from './schema.ts'
import type { PlaceInput } from './snapshot-place.task.ts'

const task = defineTask<typeof import('./snapshot-place.task.ts').snapshotPlace>(
  import.meta.url,
  './snapshot-place.task',
  'snapshotPlace',
)
/** A place is a few thousand characters. */
const MAX_RESULT_MB = 1

/** Looks a place up in a process of its own. Returns undefined where it is not there, or would take too long to find. */
export async function readPlace(isolation: Isolation, input: PlaceInput): Promise<Place | undefined> {
  try {
    return await isolation.run(task, input, { ...limitsFor(input.bytes.length), maxResultMb: MAX_RESULT_MB })
  } catch (error) {
    if (error instanceof LimitExceededError || error instanceof TaskFailedError) return undefined
    throw error
  }
}
