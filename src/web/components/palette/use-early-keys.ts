import { useEffect, useRef, useState } from 'react'
import { type EarlyKeys, NO_KEYS, withKey } from './early-keys.ts'

/**
 * Keeps what is typed from the moment the palette is opened until its field has the focus: it is loaded first, which takes
 * seconds on a slow connection. Escape, a click, and a palette that cannot be loaded end it.
 */
export function useEarlyKeys(isWaiting: boolean, onCancel: () => void) {
  const keys = useRef(NO_KEYS)
  const [text, setText] = useState('')
  useEffect(() => {
    if (!isWaiting) return
    const take = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const next = withKey(keys.current, event.key)
      if (event.key === 'Escape') onCancel()
      else if (next) keys.current = next
      else return
      event.preventDefault()
      event.stopPropagation()
      setText(keys.current.text)
    }
    addEventListener('keydown', take, { capture: true })
    addEventListener('pointerdown', onCancel)
    return () => {
      removeEventListener('keydown', take, { capture: true })
      removeEventListener('pointerdown', onCancel)
    }
  })
  /** Returns what was kept, which begins again. */
  const give = (): EarlyKeys => {
    const given = keys.current
    keys.current = NO_KEYS
    setText('')
    return given
  }
  return { text, give }
}
