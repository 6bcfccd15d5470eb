import { toTheMinute } from '../../instants.ts'
import { ROTATION_HOURS } from '../../limits.ts'

/**
 * Returns what a rotation does to each secret, which is said before it is confirmed.
 * @param older until when the secret before the present one signs; undefined where only one signs
 */
export function rotationText(older: string | undefined): string {
  const present = `The current secret stays valid beside the new one for ${ROTATION_HOURS} hours, so you can update receivers one by one.`
  if (older === undefined) return present
  return `Two secrets sign now, and at most two can. The older one, which would sign until ${toTheMinute(older)}, ends at once: a receiver that still has it refuses every request from then on. ${present}`
}
