/** `<DocTable columns={[…]} rows={[…]} />`: a table that a page in MDX gives to a component. */
const OPEN = '<DocTable'
const CLOSE = '\n/>'
const MAX_BLOCK_CHARACTERS = 200_000
const TITLE = /\btitle:\s*"([^"]*)"/g
/** A cell is a text or `<>{"$"}3.00</>`; anything else is read as it stands, and then is not a price. */
const CELL = /"((?:[^"\\]|\\.)*)"|<>((?:(?!<\/>).){0,200})<\/>|([^\s,[\]"<][^,[\]"<]*)/g

/** Puts an HTML table where the page has a `DocTable` with columns and rows. */
export function docTables(mdx: string): string {
  const parts = mdx.split(OPEN)
  return parts
    .map((part, index) => {
      const end = index === 0 ? -1 : endOf(part)
      return end < 0 ? part : `\n${tableOf(part.slice(0, end))}\n${part.slice(end + CLOSE.length)}`
    })
    .join('')
}

/** Where the tag itself ends: at the beginning of a line, or after its last bracket. */
function endOf(part: string): number {
  const end = part.indexOf(CLOSE)
  if (end >= 0 && end < MAX_BLOCK_CHARACTERS && part.lastIndexOf('rows={[', end) > 0) return end
  return -1
}

function tableOf(block: string): string {
  const at = block.indexOf('rows={[')
  const titles = [...block.slice(0, at).matchAll(TITLE)].map(([, title]) => title!)
  const rows = block
    .slice(at + 'rows={['.length)
    .split('\n')
    .filter((line) => line.trim().startsWith('['))
    .map((line) =>
      [...line.trim().matchAll(CELL)].map(([, text, fragment, other]) => text ?? ofFragment(fragment) ?? other ?? ''),
    )
  const row = (cells: string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  return `<table>${row(titles, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`
}

/** `{"$"}3.00` is `$3.00`. */
const ofFragment = (fragment: string | undefined) => fragment?.replace(/\{"([^"{}]*)"\}/g, '$1')

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
