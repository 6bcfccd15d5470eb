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

/**
 * Whether a control that was found before has the focus, and its looks at the same moment: what a focus may be shown with
 * on the control, around it, or on what stands for it. A page may have put another control in its place since.
 */
const stateOf = (node: Node): { focus: 'here' | 'elsewhere' | 'replaced'; looks: string } => {
  const looks: (string | undefined)[] = []
  for (let at: Node | null = node, depth = 0; at && depth < 3; at = at.parentElement, depth++) {
    for (const part of [at, at.nextElementSibling, at.previousElementSibling]) {
      if (!part) continue
      const style = node.ownerDocument.defaultView.getComputedStyle(part)
      looks.push(style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow)
      looks.push(style.borderTopColor, style.backgroundColor, style.textDecorationLine)
    }
  }
  const hasFocus = node === node.ownerDocument.activeElement
  return { focus: !node.isConnected ? 'replaced' : hasFocus ? 'here' : 'elsewhere', looks: looks.join() }
}

/** Someone without a pointer. What keys do not lead to, or what does not show that it has the focus, fails. */
export function byKeyboard(page: Page) {
  const { keyboard } = page

  /** Goes to a control with one key, mostly Tab. It is looked up once: a look-up by role reads the whole page. */
  async function reach(control: Locator, key = 'Tab'): Promise<void> {
    let node = await find(control)
    const before = await node.evaluate(stateOf)
    // A control that has the focus from the beginning cannot be compared with itself.
    if (before.focus === 'here') return
    for (let presses = 1; presses <= MAX_PRESSES; presses++) {
      await keyboard.press(key)
      let state = await node.evaluate(stateOf)
      if (state.focus === 'replaced') {
        node = await find(control)
        state = await node.evaluate(stateOf)
      }
      if (state.focus === 'here' && (await isSeen(control, node, before.looks))) return
    }
    throw new Error(`${key} does not lead to ${control}`)
  }

  /** Returns false when the page moves the focus away: a dialog does once, when it has opened. */
  async function isSeen(control: Locator, node: ElementHandle<Node>, before: string): Promise<boolean> {
    const until = Date.now() + allowedMs(FADE_MS)
    for (;;) {
      const { focus, looks } = await node.evaluate(stateOf)
      if (focus !== 'here') return false
      if (looks !== before) return true
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
