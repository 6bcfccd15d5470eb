import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openCursor, sealCursor } from '../../src/lib/cursor.ts'

const KEY = Buffer.alloc(32, 7)
/** The first 16 bytes of the HMAC-SHA256 of a text, before the text itself. */
function sealed(text: string, bytes = 16): string {
  const seal = createHmac('sha256', KEY).update(text).digest().subarray(0, bytes)
  return Buffer.concat([seal, Buffer.from(text)]).toString('base64url')
}

describe('a cursor', () => {
  it('holds its content behind a seal of 128 bits, and equal content is an equal text', () => {
    const cursor = sealCursor(KEY, { after: ['x', 1] })
    expect(cursor).toBe(sealed('{"after":["x",1]}'))
    expect(openCursor(KEY, cursor)).toEqual({ after: ['x', 1] })
  })

  it('does not open with another key, or with any of its bytes changed', () => {
    const cursor = sealCursor(KEY, { after: 'x' })
    expect(openCursor(Buffer.alloc(32, 8), cursor)).toBeUndefined()
    const bytes = Buffer.from(cursor, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(openCursor(KEY, changed.toString('base64url'))).toBeUndefined()
    }
  })

  it('does not open when it is cut short, were it to less than a seal, or longer than it was', () => {
    const cursor = sealCursor(KEY, { after: 'x' })
    for (let length = 0; length < cursor.length; length++)
      expect(openCursor(KEY, cursor.slice(0, length))).toBeUndefined()
    expect(openCursor(KEY, `${cursor}AAAA`)).toBeUndefined()
  })

  it('has one spelling: no padding, no spaces, no other alphabet, no other last bits', () => {
    const cursor = 'OQIpjy7F_j3T_dVkYnRUXTEy'
    expect([sealCursor(KEY, 12), openCursor(KEY, cursor)]).toEqual([cursor, 12])
    for (const other of [`${cursor}=`, ` ${cursor}`, `${cursor}\n`, `${cursor}!`, `!${cursor}`])
      expect(openCursor(KEY, other)).toBeUndefined()
    // Its last character has four bits that mean nothing.
    const longer = sealCursor(KEY, 123)
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const spellings = [...last].map((letter) => longer.slice(0, -1) + letter)
    expect(spellings.filter((spelling) => openCursor(KEY, spelling) !== undefined)).toEqual([longer])
  })

  it('is refused unread beyond 32,000 characters', () => {
    // 16 bytes of seal and 23,984 of text are 32,000 characters.
    const text = (length: number) => `"${'x'.repeat(length - 2)}"`
    expect(sealed(text(23_984))).toHaveLength(32_000)
    expect(openCursor(KEY, sealed(text(23_984)))).toHaveLength(23_982)
    expect(openCursor(KEY, sealed(text(23_985)))).toBeUndefined()
  })
})
