/** A number as a document writes it (`3.2`, `(b)`, `C.1.a.ii.`): its labels from the outside in. */
type WrittenNumber = { labels: Label[]; style: Style }
type Style = '.' | '(' | ')'
/** One of its labels: in `3.2(b)` the last one is in brackets. */
type Label = { label: string; inBrackets: boolean }

/** Where a line is in its document, as far as its number depends on it. */
export type NumberedLine = {
  plain: string
  heading?: boolean
  /** 1 for the title of a document, 2 for its parts … */
  level?: number
  /** In how many lists it is. */
  depth?: number
  /** Its number as it is written, with its brackets and stops. */
  marker?: string
}

/** One label of the clause that is open: `3`, then `2`, then `b`. */
type Step = { label: string; kind: string; joint: '.' | '('; level?: number; depth: number }

/** `Schedule 2`, `Annex I`: its clauses begin with its name. */
const ATTACHMENT =
  /^(schedule|annex(?:ure)?|exhibit|appendix|attachment|anlage|anhang|annexe|anexo|allegato)\s([ivxlc]{1,6}|[a-z]|\d{1,2})(?=[\s.:,;)-]|$)/iu
/** `Section 5: Fees` and `Article 3` are numbered, as `5. Fees` is. */
const NAMED_NUMBER =
  /^(?:section|article|clause|part|artikel|abschnitt|artículo|articolo|§)\s?(\d{1,3}(?:\.\d{1,3})*|[ivxl]{1,6})(?=[\s.:,;)-]|$)/i
const ROMAN = /^(?:x{0,3})(?:ix|iv|v?i{0,3})$/
const ROMAN_VALUE: Record<string, number> = { i: 1, v: 5, x: 10 }

/** The name of the attachment whose title this is. */
export const attachmentIn = (title: string): string | undefined => ATTACHMENT.exec(title)?.[0]

/** The number that a title names: `3` of `Article 3 - Fees`. */
export const numberIn = (title: string): string | undefined => NAMED_NUMBER.exec(title)?.[1]

function writtenNumbers(marker: string): WrittenNumber[] {
  return marker.split(/\s+/).flatMap((written) => {
    const labels = [...written.matchAll(/(\(?)([^().*_]+)/g)].map(([, bracket, label], i) => ({
      label: label!,
      inBrackets: i > 0 && bracket !== '',
    }))
    const style = written.startsWith('(') ? '(' : written.endsWith(')') ? ')' : '.'
    return labels.length === 0 ? [] : [{ labels, style } satisfies WrittenNumber]
  })
}

function romanValue(label: string): number {
  const values = [...label].map((letter) => ROMAN_VALUE[letter]!)
  return values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0)
}

/** What a label may count, and how far it counts: `i` is the ninth letter or the first Roman number. */
function readings(label: string, style: Style): { kind: string; value: number }[] {
  if (/^\d+$/.test(label)) return [{ kind: `1${style}`, value: Number(label) }]
  const small = label.toLowerCase()
  const letters = label === small ? 'a' : 'A'
  const roman = ROMAN.test(small) ? [{ kind: `${letters}i${style}`, value: romanValue(small) }] : []
  const letter = small.length === 1 ? [{ kind: `${letters}${style}`, value: small.charCodeAt(0) - 96 }] : []
  return [...roman, ...letter]
}

const countedBy = (step: Step): number | undefined =>
  readings(step.label, step.kind.at(-1) as Style).find(({ kind }) => kind === step.kind)?.value

/** Letters, Roman numbers and what is in brackets are parts of a clause; what follows them may belong to it again. */
const isPart = ({ kind, level }: Step) => level === undefined && !/^[1A]\.$|^Ai\.$|^#/.test(kind)

/** `3`, `2`, `b` are written `3.2(b)`. */
function clauseOf(steps: Step[]): string | undefined {
  if (steps.length === 0) return undefined
  return steps.reduce((clause, { label, joint, kind }, i) => {
    if (i === 0) return label
    if (steps[i - 1]!.kind === '#') return `${clause}, ${label}`
    return joint === '.' || /^A/.test(kind) ? `${clause}.${label}` : `${clause}(${label})`
  }, '')
}

/**
 * Returns a function that is called with the lines of a document in order and returns the clause each is in: the number
 * that a lawyer would cite. A line without a number is in the clause before it; after the parts of a clause it is in the
 * clause.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its parts share what is open
export function createClauseFinder(): (line: NumberedLine) => string | undefined {
  let open: Step[] = []
  /** The heading without a number that is open, and below which of them each number was first. */
  let title = ''
  const begun = new Map<string, string>()

  /** Numbers that begin again below another heading are distinguished by it, as those of attachments are. */
  function belowTitle(): void {
    const root = open[0]!
    if (root.kind === '#' || root.level !== undefined) return
    const first = begun.get(root.label) ?? title
    begun.set(root.label, first)
    if (first !== title) open = [{ label: title, kind: '#', joint: '.', depth: 0 }, ...open]
  }

  /**
   * Where a label goes on: after the one that it follows in the same list or at the same level, in place of the first of
   * its kind there when it begins again, and else below what is open.
   */
  function add(label: string, style: Style, place: { level?: number; depth: number }) {
    const read = readings(label, style)
    const find = (matches: (step: Step, value: number) => boolean) => {
      for (let i = open.length - 1; i >= 0; i--)
        for (const { kind, value } of read) if (open[i]!.kind === kind && matches(open[i]!, value)) return { i, kind }
      return undefined
    }
    const isBeside = (step: Step) => step.depth === place.depth && (step.level ?? 0) === (place.level ?? 0)
    const first = read.find(({ value }) => value === 1)
    const at =
      find((step, value) => isBeside(step) && countedBy(step) === value - 1) ??
      (first
        ? find((step) => isBeside(step) && step.kind === first.kind)
        : find((step, value) => countedBy(step) === value - 1)) ??
      (first ? undefined : find(isBeside))
    const kind = at?.kind ?? first?.kind ?? read[0]?.kind ?? `?${style}`
    const outer = at ? at.i : inList(place.depth)
    open = [...open.slice(0, outer), { label, kind, joint: /^1\.$|^A/.test(kind) ? '.' : '(', ...place }]
  }

  /** How much of what is open is around a list of this depth. */
  function inList(depth: number): number {
    const end = depth === 0 ? -1 : open.findIndex((step) => step.level === undefined && step.depth >= depth)
    return end < 0 ? open.length : end
  }

  /** A number of several labels says where it is by itself; only an attachment, or a part with a letter, is around it. */
  function addWhole(labels: Label[], place: { level?: number; depth: number }) {
    const first = labels[0]!.label
    const at = open.findIndex(({ label }) => label === first)
    const around = open.findLastIndex(({ kind }) => kind === '#' || (kind === 'A.' && /^\d/.test(first)))
    const kept = open.slice(0, at >= 0 ? at : around + 1)
    open = kept.concat(
      labels.map(({ label, inBrackets }, i) => {
        const known = i === 0 && at >= 0 ? open[at]! : undefined
        const joint = inBrackets ? '(' : '.'
        const kind = known?.kind ?? readings(label, joint).at(-1)?.kind ?? `?${joint}`
        return {
          label,
          kind,
          joint,
          depth: place.depth,
          level: i === 0 ? (known?.level ?? place.level) : place.level,
        }
      }),
    )
  }

  /** A heading ends all that is not above it; one with a number may follow one of its level. */
  function leave(level: number, isNumbered: boolean): void {
    open = open.filter(
      (step) => step.level !== undefined && (step.level < level || (isNumbered && step.level === level)),
    )
  }

  return (line) => {
    const { heading = false, plain, depth = 0 } = line
    const level = heading ? (line.level ?? 2) : undefined
    const attachment = heading ? attachmentIn(plain) : undefined
    if (attachment) {
      open = [{ label: attachment, kind: '#', joint: '.', level, depth: 0 }]
      return clauseOf(open)
    }
    const number = line.marker ?? (heading ? numberIn(plain) : undefined)
    if (level !== undefined) leave(level, number !== undefined)
    if (level !== undefined && number === undefined) title = plain
    const numbers = number === undefined ? [] : writtenNumbers(number)
    for (const { labels, style } of numbers)
      if (labels.length > 1) addWhole(labels, { level, depth })
      else add(labels[0]!.label, style, { level, depth })
    if (numbers.length > 0) belowTitle()
    if (numbers.length > 0 || heading) return clauseOf(open)
    const around = open.slice(0, inList(Math.max(1, depth)))
    return clauseOf(depth > 0 ? around : withoutParts(around))
  }
}

/** The clause whose parts end here. */
function withoutParts(steps: Step[]): Step[] {
  let end = steps.length
  while (end > 0 && isPart(steps[end - 1]!)) end--
  return steps.slice(0, end)
}
