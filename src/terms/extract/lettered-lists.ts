import type { CheerioAPI } from 'cheerio'
import { isElement } from './elements.ts'

const LETTERS = 26
const ROMAN: [value: number, letters: string][] = [[10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i']] // biome-ignore format: a table reads best in one line

/** What a style sheet calls the kinds of letters that `type` has too. */
const STYLES: [name: RegExp, type: string][] = [
  [/lower-(?:alpha|latin)/i, 'a'],
  [/upper-(?:alpha|latin)/i, 'A'],
  [/lower-roman/i, 'i'],
  [/upper-roman/i, 'I'],
]
const LIST_STYLE = /list-style(?:-type)?\s*:([^;]*)/i

/** What a list counts in: its style decides before its type. */
function typeOf({ type = '', style = '' }: Record<string, string>): string {
  const stated = LIST_STYLE.exec(style)?.[1]
  return stated === undefined ? type : (STYLES.find(([name]) => name.test(stated))?.[1] ?? '')
}

/** Markdown counts in digits alone: an entry of a list with letters gets its letter as text, behind a bullet. */
export function writeLetters($: CheerioAPI): void {
  $('ol[type], ol[style]').each((_, list) => {
    const type = typeOf(list.attribs)
    const { start = '1' } = list.attribs
    if (!/^[ai]$/i.test(type) || !/^\d{1,3}$/.test(start)) return
    $(list)
      .children('li')
      .each((index, entry) => {
        const first = $(entry)
          .contents()
          .filter((_, node) => isElement(node) || $(node).text().trim() !== '')
          .first()
        const begins = first.is('p') ? first : $(entry)
        begins.prepend(`${labelOf(Number(start) + index, type)}. `)
      })
    list.tagName = 'ul'
  })
}

function labelOf(count: number, type: string): string {
  const label = type.toLowerCase() === 'a' ? letterOf(count) : romanOf(count)
  return type === type.toLowerCase() ? label : label.toUpperCase()
}

/** `z` is followed by `aa`. */
function letterOf(count: number): string {
  let label = ''
  for (let rest = count; rest > 0; rest = Math.floor((rest - 1) / LETTERS))
    label = String.fromCharCode(97 + ((rest - 1) % LETTERS)) + label
  return label
}

function romanOf(count: number): string {
  let [label, rest] = ['', count]
  for (const [value, letters] of ROMAN) {
    label += letters.repeat(Math.floor(rest / value))
    rest %= value
  }
  return label
}
