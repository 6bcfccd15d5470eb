import type { ElementHandle, Locator, Page } from 'playwright-core'
import { allowedMs } from '../suite/allowed-time.ts'

/** No page has as many controls before the last of them. */
const MAX_PRESSES = 150
/** For so long a frame around a control may fade in. */
const FADE_MS = 2_000

/** The parts of a browser's element that are asked here: its own types are not loaded in tests. */
type Node = {
  isConnected: boolean
  ownerDocument: { activeElement: unknown; defaultView: { getComputedStyle(of: Node): Record<string, string> } }
  parentElement: Node | null
  nextElementSibling: Node | null
  previousElementSibling: Node | null
}

const find = async (control: Locator): Promise<ElementHandle<Node>> =>
  (await control.elementHandle()) as ElementHandle<Node>

/** Where the focus is, seen from a control that was found before. A page may have put another control in its place since. */
const focusFrom = (node: Node): 'here' | 'elsewhere' | 'replaced' => {
  if (!node.isConnected) return 'replaced'
  return node === node.ownerDocument.activeElement ? 'here' : 'elsewhere'
}

/** What a focus may be shown with: on the control, around it, or on what stands for it. */
const looksOf = (node: Node): string => {
  const looks: (string | undefined)[] = []
  for (let at: Node | null = node, depth = 0; at && depth < 3; at = at.parentElement, depth++) {
    for (const part of [at, at.nextElementSibling, at.previousElementSibling]) {
      if (!part) continue
      const style = node.ownerDocument.defaultView.getComputedStyle(part)
      looks.push(style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow)
      looks.push(style.borderTopColor, style.backgroundColor, style.textDecorationLine)
    }
  }
  return looks.join()
}

/** Someone without a pointer. What keys do not lead to, or what does not show that it has the focus, fails. */
export function byKeyboard(page: Page) {
  const { keyboard } = page

  /** Goes to a control with one key, mostly Tab. It is looked up once: a look-up by role reads the whole page. */
  async function reach(control: Locator, key = 'Tab'): Promise<void> {
    let node = await find(control)
    const before = await node.evaluate(looksOf)
    for (let presses = 0; presses <= MAX_PRESSES; presses++) {
      if (presses > 0) await keyboard.press(key)
      let focus = await node.evaluate(focusFrom)
      if (focus === 'replaced') {
        node = await find(control)
        focus = await node.evaluate(focusFrom)
      }
      // A control that has the focus from the beginning cannot be compared with itself.
      if (focus === 'here') return presses > 0 ? seen(control, before) : undefined
    }
    throw new Error(`${key} does not lead to ${control}`)
  }

  async function seen(control: Locator, before: string): Promise<void> {
    const until = Date.now() + allowedMs(FADE_MS)
    while ((await control.evaluate(looksOf)) === before) {
      if (Date.now() > until) throw new Error(`Nothing shows that ${control} has the focus`)
    }
  }

  return {
    reach,
    press: async (control: Locator, key = 'Enter'): Promise<void> => {
      await reach(control)
      await keyboard.press(key)
    },
    /** Types in the place of what is there. */
    type: async (control: Locator, text: string): Promise<void> => {
      await reach(control)
      await keyboard.press('Control+A')
      await keyboard.insertText(text)
    },
    /** Opens a menu and goes down to one of its items. */
    choose: async (menu: Locator, item: Locator): Promise<void> => {
      await reach(menu)
      await keyboard.press('Enter')
      await reach(item, 'ArrowDown')
      await keyboard.press('Enter')
    },
    keys: async (...keys: string[]): Promise<void> => {
      for (const key of keys) await keyboard.press(key)
    },
  }
}
