import { useMemo } from 'react'
import { withoutMark } from '../../../lib/text/document-text.ts'
import type { DifferenceRow } from '../../api/documents.ts'
import { Cited, useNamedPlace } from './cited.tsx'
import classes from './difference.module.css'

/** One version to read. Every text is shown as text, whatever it says. */
export function Reading({ rows, versionId }: { rows: DifferenceRow[]; versionId: string }) {
  const named = useNamedPlace()
  const shown = useMemo(() => rows.filter(({ right }) => right !== undefined), [rows])
  return (
    <article className={classes.reading}>
      {shown.map((row, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no identity but their order
        <Place key={n} row={row} versionId={versionId} named={named} />
      ))}
    </article>
  )
}

type PlaceProps = { row: DifferenceRow; versionId: string; named: string }

function Place({ row, versionId, named }: PlaceProps) {
  const { anchor, section, heading } = row
  return (
    <div id={anchor?.id} className={classes.place} data-named={(anchor && anchor.id === named) || undefined}>
      {anchor && (
        <Cited versionId={versionId} id={anchor.id} name={anchor.clause ?? section}>
          {heading ? '#' : (anchor.clause ?? '#')}
        </Cited>
      )}
      <Paragraph row={row} />
    </div>
  )
}

function Paragraph({ row: { right = '', heading, level = 2, depth } }: { row: DifferenceRow }) {
  const Heading = headingOf(level)
  if (heading) return <Heading dir="auto">{withoutMark(right, true)}</Heading>
  return (
    <p dir="auto" style={indented(depth)}>
      {right}
    </p>
  )
}

/** The page has a title of its own: the document's headings begin below it. */
const headingOf = (level: number) => (level > 3 ? 'h5' : level === 3 ? 'h4' : 'h3')
/** Entries of lists in lists are further in. */
export const indented = (depth = 0) => (depth > 1 ? { paddingInlineStart: `${(depth - 1) * 1.25}rem` } : undefined)
