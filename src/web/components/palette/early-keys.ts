import { useEffect, useRef, useState } from 'react'

/** What was typed before the field of the palette took keys, and whether Enter followed. */
export type EarlyKeys = { text: string; isEntered: boolean }
const NONE: EarlyKeys = { text: '', isEntered: false }

/** Returns the keys after one more; undefined where it is none of typing. */
export function withKey(keys: EarlyKeys, key: string): EarlyKeys | undefined {
  if (key === 'Enter') return { ...keys, isEntered: true }
  if (key === 'Backspace') return { text: [...keys.text].slice(0, -1).join(''), isEntered: false }
  return [...key].length === 1 ? { text: keys.text + key, isEntered: false } : undefined
}

/**
 * Keeps what is typed from the moment the palette is opened until its field has the focus: it is loaded first, which takes
 * seconds on a slow connection. Escape, a click, and a palette that cannot be loaded end it.
 */
export function useEarlyKeys(isWaiting: boolean, onCancel: () => void) {
  const keys = useRef(NONE)
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
    keys.current = NONE
    setText('')
    return given
  }
  return { text, give }
}
