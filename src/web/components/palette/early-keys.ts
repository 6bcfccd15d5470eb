/** What was typed before the field of the palette took keys, and whether Enter followed. */
export type EarlyKeys = { text: string; isEntered: boolean }
export const NO_KEYS: EarlyKeys = { text: '', isEntered: false }

/** Returns the keys after one more; undefined where it is none of typing. */
export function withKey(keys: EarlyKeys, key: string): EarlyKeys | undefined {
  if (key === 'Enter') return { ...keys, isEntered: true }
  if (key === 'Backspace') return { text: [...keys.text].slice(0, -1).join(''), isEntered: false }
  return [...key].length === 1 ? { text: keys.text + key, isEntered: false } : undefined
}
