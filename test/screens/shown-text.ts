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

const [ELEMENT, TEXT] = [1, 3]
const FIELDS = new Set(['INPUT', 'TEXTAREA', 'SELECT'])
/** Its days are other ones every month. */
const CALENDAR = /mantine-\w+-levelsGroup/

/** Returns what a person reads of an element: one line for each block, cells divided by bars, buttons in brackets. */
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
  if (isHidden(element, tag)) return ''
  if (CALENDAR.test(element.className)) return ' (calendar) '
  const name = element.getAttribute('aria-label') ?? undefined
  if (tag === 'BUTTON' || element.getAttribute('role') === 'button') return ` [${buttonText(element, name)}] `
  if (FIELDS.has(tag)) return ` {${fieldText(element as HTMLInputElement, name)}} `
  if (tag === 'A') return ` ${name ?? element.textContent} <${element.getAttribute('href')}> `
  const children = [...element.childNodes]
  const text = children.length === 0 ? (name ?? '') : children.map(textOf).join('')
  const cell = tag === 'TD' || tag === 'TH' ? ' | ' : ''
  return BLOCKS.has(tag) ? `\n${text}\n` : cell + text
}

function isHidden(element: HTMLElement, tag: string): boolean {
  if (HIDDEN.has(tag) || element.hidden || element.getAttribute('aria-hidden') === 'true') return true
  return element.style?.display === 'none' || (element as HTMLInputElement).type === 'hidden'
}

function buttonText(element: HTMLElement, name: string | undefined): string {
  const disabled = element.hasAttribute('disabled') || element.getAttribute('aria-disabled') === 'true'
  return (name ?? element.textContent ?? '').replace(/\s+/g, ' ').trim() + (disabled ? ', disabled' : '')
}

function fieldText(input: HTMLInputElement, name: string | undefined): string {
  const label = name ?? input.labels?.[0]?.textContent ?? input.placeholder
  if (input.type === 'checkbox' || input.type === 'radio') return `${label}: ${input.checked ? 'on' : 'off'}`
  return `${label}: ${input.type === 'password' ? '•'.repeat(input.value.length) : input.value}`
}
