const BLOCKS = new Set([
  'DIV',
  'P',
  'H1',
  'H2',
  'H3',
  'H4',
  'LI',
  'UL',
  'OL',
  'TR',
  'TABLE',
  'SECTION',
  'NAV',
  'HEADER',
  'MAIN',
  'FORM',
  'LABEL',
  'FIELDSET',
  'PRE',
  'DL',
  'DT',
  'DD',
  'TBODY',
  'THEAD',
  'ASIDE',
  'FOOTER',
])
const HIDDEN = new Set(['STYLE', 'SCRIPT', 'SVG', 'NOSCRIPT', 'TEMPLATE'])

/** Words that a page marks. */
const MARKED: Record<string, string> = { MARK: '«…»', DEL: '[-…-]', INS: '[+…+]' }

const [ELEMENT, TEXT] = [1, 3]
const FIELDS = new Set(['INPUT', 'TEXTAREA', 'SELECT'])
/** Its days are other ones every month. */
const CALENDAR = /mantine-\w+-levelsGroup/

/** Returns what a person reads of an element: one line for each block, a bar before each column, buttons in brackets. */
export function shownText(root: Element): string {
  const lines = textOf(root).split('\n')
  return lines
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n')
}

function textOf(node: Node): string {
  if (node.nodeType === TEXT) return (node.textContent ?? '').replace(/\s+/g, ' ')
  if (node.nodeType !== ELEMENT) return ''
  const element = node as HTMLElement
  const tag = element.tagName.toUpperCase()
  const name = element.getAttribute('aria-label') ?? undefined
  if (name && element.getAttribute('role') === 'img') return ` (${pictureText(element, name)}) `
  if (name && tag === 'SVG') return ` (${name}) `
  if (isHidden(element, tag)) return ''
  if (CALENDAR.test(element.className)) return ' (calendar) '
  if (tag === 'BUTTON' || element.getAttribute('role') === 'button') return ` [${buttonText(element, name)}] `
  if (FIELDS.has(tag)) return ` {${fieldText(element as HTMLInputElement, name)}} `
  if (tag === 'A') return ` ${name ?? element.textContent} <${targetOf(element)}>${placeText(element)} `
  const children = [...element.childNodes]
  const text = children.length === 0 ? (name ?? '') : spokenText(element, name) + children.map(textOf).join('')
  if (tag in MARKED) return MARKED[tag]!.replace('…', text)
  const cell = tag === 'TD' || tag === 'TH' ? ` ${'|'.repeat((element as HTMLTableCellElement).colSpan)} ` : ''
  const order = element.getAttribute('aria-sort') ?? 'none'
  return BLOCKS.has(tag) ? `\n${text}\n` : cell + (order === 'none' ? '' : `(${order}) `) + text
}

/** What can be reached by keys is called something else than it shows; some is read aloud when it comes. */
const spokenText = (element: Element, name: string | undefined): string =>
  rowText(element) +
  (name && element.getAttribute('tabindex') === '0' ? `(${name}) ` : '') +
  (isReadAloud(element) ? '(aloud) ' : '')

/** Of a long table only some rows are there: how many it has, and which one this is. */
function rowText(element: Element): string {
  const [count, index] = [element.getAttribute('aria-rowcount'), element.getAttribute('aria-rowindex')]
  return (count ? `(${count} rows) ` : '') + (index ? `(row ${index}) ` : '')
}

const isReadAloud = (element: Element): boolean =>
  /^(alert|status)$/.test(element.getAttribute('role') ?? '') || element.hasAttribute('aria-live')

const targetOf = (link: Element): string =>
  link.getAttribute('href') + (link.getAttribute('target') === '_blank' ? ', in a new tab' : '')

const placeText = (link: Element): string => (link.getAttribute('aria-current') === 'page' ? ' (this page)' : '')

/** Points of a drawing have titles. */
const pictureText = (element: Element, name: string): string =>
  [
    `picture: ${name}`,
    ...[...element.querySelectorAll('title')].map((title) => title.textContent),
    ...(/="[^"]*(NaN|Infinity|undefined)/.test(element.innerHTML) ? ['with points that are not numbers'] : []),
  ].join('; ')

function isHidden(element: HTMLElement, tag: string): boolean {
  if (HIDDEN.has(tag) || element.hidden || element.getAttribute('aria-hidden') === 'true') return true
  return element.style?.display === 'none' || (element as HTMLInputElement).type === 'hidden'
}

function buttonText(element: HTMLElement, name: string | undefined): string {
  const disabled = element.hasAttribute('disabled') || element.getAttribute('aria-disabled') === 'true'
  const why = element.title && element.title !== name ? `: ${element.title}` : ''
  const icons = name
    ? []
    : [...element.querySelectorAll('svg[aria-label]')].map((icon) => ` (${icon.getAttribute('aria-label')})`)
  const text = (name ?? element.textContent ?? '').replace(/\s+/g, ' ').trim() + icons.join('')
  return text + (disabled ? `, disabled${why}` : '')
}

function fieldText(input: HTMLInputElement, name: string | undefined): string {
  const label = name ?? input.labels?.[0]?.textContent ?? input.placeholder
  if (input.type === 'checkbox' || input.type === 'radio') return `${label}: ${input.checked ? 'on' : 'off'}`
  return `${label}: ${input.type === 'password' ? '•'.repeat(input.value.length) : input.value}`
}
