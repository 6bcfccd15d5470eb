import { UnstyledButton } from '@mantine/core'
import { useMemo, useState } from 'react'
import { citedAs, withoutMark } from '../../../lib/text/document-text.ts'
import { plural } from '../../../lib/text/plural.ts'
import type { DifferenceRow } from '../../api/documents.ts'
import { Cited, useNamedPlace } from './cited.tsx'
import classes from './difference.module.css'
import { type Part, partsOf, rowId } from './parts.ts'
import { indented, Reading } from './reading.tsx'

type Props = {
  rows: DifferenceRow[]
  isText: boolean
  /** The later version, whose clauses can be cited. */
  versionId: string
}

/** Two versions beside each other with changed words marked, or one to read. Loaded when a document is shown. */
export default function Difference({ rows, isText, versionId }: Props) {
  return isText ? <Reading rows={rows} versionId={versionId} /> : <Beside rows={rows} versionId={versionId} />
}

function Beside({ rows, versionId }: Omit<Props, 'isText'>) {
  const parts = useMemo(() => partsOf(rows), [rows])
  const named = useNamedPlace()
  return (
    <div className={classes.difference}>
      <div className={classes.columns} aria-hidden>
        <span>Before</span>
        <span>After</span>
      </div>
      {parts.map((part) =>
        part.kind === 'shown' ? (
          <Shown key={part.id} part={part} versionId={versionId} />
        ) : (
          <Folded
            key={part.id}
            part={part}
            versionId={versionId}
            isNamed={part.rows.some(({ anchor }) => anchor?.id === named)}
          />
        ),
      )}
    </div>
  )
}

type PartProps = { part: Part; versionId: string }

function Folded({ part, versionId, isNamed }: PartProps & { isNamed: boolean }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen || isNamed) return <Pairs part={part} versionId={versionId} />
  const { length } = part.rows
  return (
    <UnstyledButton className={classes.folded} onClick={() => setOpen(true)}>
      Show {plural(length, 'unchanged paragraph')}
    </UnstyledButton>
  )
}

const Shown = ({ part, versionId }: PartProps) => (
  <section id={part.id} className={classes.part}>
    <h3 className={classes.section} dir="auto">
      {part.clause && `${citedAs(part.clause)} `}
      {part.section || 'Before the first heading'}
    </h3>
    <Pairs part={part} versionId={versionId} />
  </section>
)

const Pairs = ({ part, versionId }: PartProps) => (
  <>
    {part.rows.map((row, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no identity but their order
      <div key={n} id={rowId(part, row, n)} className={classes.pair} data-kind={row.kind}>
        {row.clause !== (n === 0 ? part.clause : part.rows[n - 1]!.clause) && <Where row={row} versionId={versionId} />}
        <Side row={row} side="left" />
        <Side row={row} side="right" />
      </div>
    ))}
  </>
)

/** The clause in which a change is; a link where the later version has it here. */
function Where({
  row: { kind, heading, clause, anchor, section },
  versionId,
}: {
  row: DifferenceRow
  versionId: string
}) {
  if (kind === 'same' || heading || clause === undefined) return null
  const name = citedAs(clause)
  return (
    <div className={classes.where}>
      {anchor ? (
        <Cited versionId={versionId} id={anchor.id} name={`${name}, ${section}`}>
          {name}
        </Cited>
      ) : (
        name
      )}
    </div>
  )
}

const MARK = { left: 'removed', right: 'added' } as const
const LABEL = { left: 'Before: ', right: 'After: ' }

function Side({ row, side }: { row: DifferenceRow; side: 'left' | 'right' }) {
  const text = row[side]
  if (text === undefined) return <div className={classes.side} data-empty aria-hidden />
  const isChange = row.kind !== 'same'
  return (
    <div className={classes.side} data-mark={isChange ? MARK[side] : undefined}>
      <p dir="auto" className={row.heading ? classes.heading : undefined} style={indented(row.depth)}>
        {isChange && <span className={classes.hidden}>{LABEL[side]}</span>}
        <Words row={row} side={side} text={text} />
      </p>
    </div>
  )
}

/** A whole paragraph that was added or removed, or the words that were. */
function Words({ row, side, text }: { row: DifferenceRow; side: 'left' | 'right'; text: string }) {
  if (row.kind === 'same') return withoutMark(text, row.heading)
  if (row.kind !== 'changed' || !row.words) {
    const whole = withoutMark(text, row.heading)
    return side === 'left' ? <del>{whole}</del> : <ins>{whole}</ins>
  }
  const own = row.words.filter(({ kind }) => kind === 'same' || kind === MARK[side])
  return own.map(({ text: word, kind }, n) => {
    const said = n === 0 ? withoutMark(word, row.heading) : word
    // biome-ignore-start lint/suspicious/noArrayIndexKey: words have no identity but their order
    if (kind === 'same') return <span key={n}>{said}</span>
    return side === 'left' ? <del key={n}>{said}</del> : <ins key={n}>{said}</ins>
    // biome-ignore-end lint/suspicious/noArrayIndexKey: words have no identity but their order
  })
}
