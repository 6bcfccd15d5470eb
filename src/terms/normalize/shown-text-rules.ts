import type { Block } from './normal-form-rules.ts'

const BULLET = '•'
/** A heading whose level is not known. */
const HEADING_LEVEL = 2

/** A paragraph as a reader would cite it: with its number as the document writes it, its bullet, or the level of its heading. */
export function shownText({ text, heading, marker, level = HEADING_LEVEL, item, row, depth }: Block): string {
  if (heading) return [`${'#'.repeat(level)}`, marker, text.replace(/^#+ /, '')].filter(Boolean).join(' ')
  if (marker !== undefined) return `${marker} ${text}`
  return item && (row === undefined || depth !== undefined) ? `${BULLET} ${text}` : text
}
