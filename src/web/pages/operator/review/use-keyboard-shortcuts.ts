import { type HotkeyItem, useHotkeys } from '@mantine/hooks'

type Keys = {
  next: () => void
  previous: () => void
  approve: () => void
  delist: () => void
  reject: () => void
  edit: () => void
  undo: () => void
  select: () => void
  cancel: () => void
  help: () => void
}

type Options = { isRepeated?: boolean; takenIn?: string }

/** What takes keys for itself while it is open. */
const OVERLAYS = '[role="dialog"], [role="menu"], [role="listbox"]'
/** What the space bar presses or scrolls. The button of the open item would only open it again. */
const TAKES_SPACE = 'input, button:not([aria-current]), [role="button"], [tabindex="0"]'

const isIn = ({ target }: KeyboardEvent, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null
/** Where letters are typed. A checkbox that was just clicked takes none. */
const TAKES_LETTERS =
  'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable]:not([contenteditable="false"])'
/** A dialog that closes by this very key took it too. */
const isCovered = (event: KeyboardEvent): boolean =>
  isIn(event, OVERLAYS) || [...document.querySelectorAll(OVERLAYS)].some((overlay) => overlay.checkVisibility())

/** The keys of the page, where nothing else takes them. A key that is held down moves on and decides nothing more. */
export function useKeyboardShortcuts(keys: Keys): void {
  const key = (work: () => void, { isRepeated, takenIn }: Options = {}) =>
    [
      (event: KeyboardEvent) => {
        if (isCovered(event) || isIn(event, TAKES_LETTERS) || (takenIn && isIn(event, takenIn))) return
        event.preventDefault()
        if (isRepeated || !event.repeat) work()
      },
      { preventDefault: false },
    ] as const
  const all = [
    ['j', ...key(keys.next, { isRepeated: true })],
    ['k', ...key(keys.previous, { isRepeated: true })],
    ['a', ...key(keys.approve)],
    ['d', ...key(keys.delist)],
    ['r', ...key(keys.reject)],
    ['e', ...key(keys.edit)],
    ['u', ...key(keys.undo)],
    ['space', ...key(keys.select, { takenIn: TAKES_SPACE })],
    ['escape', ...key(keys.cancel)],
    ['shift+?', ...key(keys.help)],
    ['?', ...key(keys.help)],
  ] satisfies HotkeyItem[]
  useHotkeys(all, [])
}
