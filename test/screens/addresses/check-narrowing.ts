import { fireEvent } from '@testing-library/dom'
import { expect } from 'vitest'
import { compareWithGolden, steady } from '../check-screen.ts'
import type { Screen } from '../screen.tsx'
import { shownText } from '../shown-text.ts'
import type { Open } from './check-addresses.ts'

/** A search is put into the address after a pause of 200 ms. */
const PAUSE_MS = 300
const CONTROLS = 'main input:not([type=hidden]), main button, main [role="tab"]'

/**
 * Uses each field and button of a page whose address has everything that it can have. Compares with a golden file what each of them
 * puts into the address and takes out of it: the rest stays.
 */
export async function checkNarrowing(name: string, open: Open, addresses: string[]): Promise<void> {
  const parts: string[] = []
  for (const address of addresses) {
    let screen = await open(address)()
    const count = controls().length
    const [start, before] = [screen.address(), steady(screen.text())]
    const lines: string[] = []
    for (let n = 0; n < count; n++) {
      screen.refuse('all')
      const control = controls()[n]!
      const used = (shownText(control) || 'clear') + (await use(control, screen))
      const now = screen.address()
      if (now !== start) lines.push(steady(`${used}: ${difference(start, now)}`))
      if (now === start && steady(screen.text()) === before) continue
      screen.close()
      screen = await open(address)()
    }
    screen.close()
    parts.push(`== ${start}`, ...new Set(lines), '')
  }
  await compareWithGolden(name, [parts.join('\n')])
}

const controls = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(CONTROLS)].filter((one) => !(one as HTMLInputElement).disabled)

/** Types, ticks or presses. Of a list the first is chosen that is not chosen yet. */
async function use(control: HTMLElement, screen: Screen): Promise<string> {
  const isText = control.tagName === 'INPUT' && !['checkbox', 'radio'].includes((control as HTMLInputElement).type)
  const isList = control.getAttribute('aria-haspopup') === 'listbox'
  if (isText && !isList) {
    fireEvent.change(control, { target: { value: 'other ' } })
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    await screen.until('')
    expect(control.isConnected, `${shownText(control)} is the field that was typed into`).toBe(true)
    const isNumber = control.inputMode !== ''
    if (!isNumber) expect((control as HTMLInputElement).value, 'a second word can be typed').toBe('other ')
    return ' other'
  }
  fireEvent.click(control)
  await screen.until('')
  if (!isList) return ''
  const list = document.getElementById(control.getAttribute('aria-controls') ?? '')
  const option = list?.querySelector('[role="option"]:not([aria-selected="true"])')
  if (!option) return ''
  const chosen = option.textContent
  fireEvent.click(option)
  await screen.until('')
  return ` ${chosen}`
}

/** What is new in an address, and what is gone. */
function difference(before: string, now: string): string {
  const [was, is] = [before, now].map((address) => new URL(address, 'https://app.example')) as [URL, URL]
  if (was.pathname !== is.pathname) return `opens ${now}`
  const put = [...is.searchParams].filter(([key, value]) => was.searchParams.get(key) !== value)
  const gone = [...was.searchParams.keys()].filter((key) => !is.searchParams.has(key))
  return [...put.map(([key, value]) => `${key}=${value}`), ...gone.map((key) => `without ${key}`)].join('; ')
}
