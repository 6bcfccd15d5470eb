import { UnstyledButton } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { DifferenceRow } from '../../api/documents.ts'
import classes from './difference.module.css'
import { type Part, partsOf } from './parts.ts'

/** Two versions beside each other with changed words marked, or one to read. Loaded when a document is shown. */
export default function Difference({ rows, isText }: { rows: DifferenceRow[]; isText: boolean }) {
  const parts = useMemo(() => partsOf(rows), [rows])
  if (isText) return <Reading rows={rows} />
  return (
    <div className={classes.difference}>
      <div className={classes.columns} aria-hidden>
        <span>Before</span>
        <span>After</span>
      </div>
      {parts.map((part) =>
        part.kind === 'shown' ? <Shown key={part.id} part={part} /> : <Folded key={part.id} part={part} />,
      )}
    </div>
  )
}

const withoutMark = (text: string, isHeading: boolean) => (isHeading ? text.replace(/^#+ /, '') : text)

/** Every text is shown as text, whatever it says. */
const Reading = ({ rows }: { rows: DifferenceRow[] }) => (
  <article className={classes.reading}>
    {rows
      .filter(({ right }) => right !== undefined)
      .map(({ right = '', heading, level = 2, depth }, n) => {
        const Heading = headingOf(level)
        // biome-ignore-start lint/suspicious/noArrayIndexKey: paragraphs have no identity but their order
        return heading ? (
          <Heading key={n} dir="auto">
            {withoutMark(right, true)}
          </Heading>
        ) : (
          <p key={n} dir="auto" style={indented(depth)}>
            {right}
          </p>
        )
        // biome-ignore-end lint/suspicious/noArrayIndexKey: paragraphs have no identity but their order
      })}
  </article>
)

/** The page has a title of its own: the document's headings begin below it. */
const headingOf = (level: number) => (level > 3 ? 'h5' : level === 3 ? 'h4' : 'h3')
/** Entries of lists in lists are further in. */
const indented = (depth = 0) => (depth > 1 ? { paddingInlineStart: `${(depth - 1) * 1.25}rem` } : undefined)

function Folded({ part: { rows } }: { part: Part }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <Pairs rows={rows} />
  return (
    <UnstyledButton className={classes.folded} onClick={() => setOpen(true)}>
      Show {rows.length === 1 ? '1 unchanged paragraph' : `${rows.length} unchanged paragraphs`}
    </UnstyledButton>
  )
}

const Shown = ({ part: { id, section, clause, rows } }: { part: Part }) => (
  <section id={id} className={classes.part}>
    <h3 className={classes.section} dir="auto">
      {clause && `${clause} `}
      {section || 'Before the first heading'}
    </h3>
    <Pairs rows={rows} />
  </section>
)

const Pairs = ({ rows }: { rows: DifferenceRow[] }) => (
  <>
    {rows.map((row, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no identity but their order
      <div key={n} className={classes.pair} data-kind={row.kind}>
        <Side row={row} side="left" />
        <Side row={row} side="right" />
      </div>
    ))}
  </>
)

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

/** A whole paragraph that came or went, or the words that did. */
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
