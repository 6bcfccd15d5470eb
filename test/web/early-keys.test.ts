import { expect, it } from 'vitest'
import { type EarlyKeys, withKey } from '../../src/web/components/palette/early-keys.ts'

const after = (...keys: string[]) =>
  keys.reduce<EarlyKeys>((kept, key) => withKey(kept, key) ?? kept, { text: '', isEntered: false })

it('What is typed before the palette is loaded is kept as its field would have it', () => {
  expect(after('g', 'p', 't', '-', '5')).toEqual({ text: 'gpt-5', isEntered: false })
  expect(after('a', '😀', 'Backspace', 'b')).toEqual({ text: 'ab', isEntered: false })
  expect(after('a', 'Enter')).toEqual({ text: 'a', isEntered: true })
  // Enter was for what was there.
  expect(after('a', 'Enter', 'b').isEntered).toBe(false)
  expect(after('a', 'Enter', 'Backspace')).toEqual({ text: '', isEntered: false })
  expect(after('a', 'Tab', 'F5', 'Shift')).toEqual({ text: 'a', isEntered: false })
})
