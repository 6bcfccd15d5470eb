import { countWords } from './label-rules.ts'

/** What the column is called that says whose row it is; a column about kinds, places and purposes says something else. */
const OF_NAMES =
  /(?<!\p{L})(?:sub-?\s?(?:processors?|contractors?)|names?|entit(?:y|ies)|compan(?:y|ies)|vendors?|suppliers?|providers?|recipients?|partners?|third[- ]part(?:y|ies)|organi[sz]ations?|unterauftragsverarbeiter|firma|anbieter|sous-traitants?|nom|subencargados?|nombre|fornitori?|nome)(?!\p{L})/iu
const OF_KINDS =
  /(?<!\p{L})(?:types?|categor(?:y|ies)|purposes?|locations?|countr(?:y|ies)|address(?:es)?|activit(?:y|ies)|services? provided|data|description)(?!\p{L})/iu

/** Such a title says whose row it is better than one that says name: services and products have names too. */
const OF_PROCESSORS =
  /(?:sub-?\s?(?:processors?|contractors?)|auftragsverarbeiter|sous-traitants?|subencargados?)(?: names?)?\W*$/iu

const TITLE_WORDS = 5
const isTitle = (cell: string) => countWords(cell.trim()) <= TITLE_WORDS && (OF_NAMES.test(cell) || OF_KINDS.test(cell))

/** The row with the titles of the columns: a page that marks none has them in its first row. */
export function titleRow([header = [], first = [], ...rest]: string[][]): number {
  const isMarked = header.some((cell) => cell.trim() !== '')
  return !isMarked && rest.length > 0 && first.length > 1 && first.filter(isTitle).length > 1 ? 1 : 0
}

/** The column of a table that names its rows: the one whose title says so best, else the first that is not a number. */
export function nameColumn(table: string[][]): number {
  const [header = [], ...rows] = table.slice(titleRow(table))
  const named = [...header.keys()].filter((i) => OF_NAMES.test(header[i]!) && !OF_KINDS.test(header[i]!))
  const best = named.find((i) => OF_PROCESSORS.test(header[i]!)) ?? named[0]
  if (best !== undefined) return best
  const isNumbers = rows.length > 0 && rows.every(([first = '']) => /^\s*\d{0,4}[.)]?\s*$/.test(first))
  return isNumbers ? 1 : 0
}

/** Headings and introductions of lists of those who process personal data for a provider. */
const PROCESSORS =
  /sub-?\s?processors?|(?:unter)?auftragsverarbeiter|sous-traitants?|subencargad|sub-?responsabil|third[- ]party (?:service providers|vendors|suppliers)/iu
/** The name ends where an entry begins to say what it is for. */
const NAME_END = /\s[-|•·]\s|:\s|\s\(|;|,\s(?!(?:inc|llc|ltd|l\.?p|s\.?a|gmbh|b\.?v|corp|plc|pbc)\b)/i
const NAME_WORDS = 8
const STARTS_NAME = /^[\p{Lu}\p{N}]/u
const IS_CLAUSE =
  /(?<!\b(?:inc|ltd|co|corp|llc|[a-z]\.[a-z]))[.;]$|(?<!\p{L})(?:shall|must|may|will|agrees?|ensure|customer|we|you)(?!\p{L})/iu

function nameOfEntry(entry: string): string | undefined {
  const end = entry.search(NAME_END)
  const name = (end < 0 ? entry : entry.slice(0, end)).replace(/[:,]$/, '').trim()
  return STARTS_NAME.test(name) && countWords(name) <= NAME_WORDS && !IS_CLAUSE.test(name) ? name : undefined
}

type Line = { plain: string; heading: boolean; item: boolean; row?: string }

/** A list of fewer entries, or with fewer names among them, is a list of clauses. */
const MIN_ENTRIES = 2
const NAMED_SHARE = 0.8

/** The lines with the names of the entries of lists of sub-processors: each such list is a table of one column. */
export function withNamedEntries<T extends Line>(lines: T[]): T[] {
  const named = [...lines]
  let isAbout = false
  for (let i = 0; i < lines.length; i++) {
    const { plain, heading, item } = lines[i]!
    if (heading || (!item && countWords(plain) <= NAME_WORDS) || /[:：]$/u.test(plain)) isAbout = PROCESSORS.test(plain)
    if (!item || !isAbout || lines[i]!.row !== undefined) continue
    let end = i
    while (lines[end]?.item && lines[end]!.row === undefined && !lines[end]!.heading) end++
    const names = lines.slice(i, end).map((line) => nameOfEntry(line.plain))
    const count = names.filter((name) => name !== undefined).length
    if (count >= MIN_ENTRIES && count >= names.length * NAMED_SHARE)
      for (const [at, row] of names.entries()) if (row) named[i + at] = { ...lines[i + at]!, row }
    i = Math.max(i, end - 1)
  }
  return named
}
