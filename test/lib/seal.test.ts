import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyId, reseal, seal, sealedWith, unseal } from '../../src/lib/seal.ts'

const key = randomBytes(32)

describe('secrets at rest', () => {
  test('any text comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, context) => {
        expect(unseal(key, seal(key, text, context).sealed, context)).toBe(text)
      }),
      { numRuns: 40 },
    )
  })

  test('the sealed bytes do not hold the text, and differ each time', () => {
    const [first, second] = [seal(key, 'whsec_plain', 'webhook/1'), seal(key, 'whsec_plain', 'webhook/1')]
    expect(first.sealed.includes('whsec_plain')).toBe(false)
    expect(first.sealed.equals(second.sealed)).toBe(false)
  })

  test('a sealed secret moved to another webhook does not open there', () => {
    expect(() => unseal(key, seal(key, 'secret', 'webhook/1').sealed, 'webhook/2')).toThrow()
  })

  test('a change of any byte, or a cut anywhere, is noticed', () => {
    const { sealed } = seal(key, 'secret', 'webhook/1')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = changed[at]! ^ 1
      expect(() => unseal(key, changed, 'webhook/1')).toThrow()
      expect(() => unseal(key, sealed.subarray(0, at), 'webhook/1')).toThrow()
    }
  })

  test('a wrong key and a damaged secret have different messages: that of the key names the setting', () => {
    const { sealed } = seal(key, 'secret', 'webhook/1')
    expect(() => unseal(randomBytes(32), sealed, 'webhook/1')).toThrow(/PRICETAPE_SECRET_KEY/)
  })

  test('secrets move to a new key while both are in use', () => {
    const next = randomBytes(32)
    const old = seal(key, 'secret', 'webhook/1')
    const moved = reseal([next, key], next, old.sealed, 'webhook/1')
    expect(moved.keyId).toBe(keyId(next))
    expect(sealedWith(moved.sealed)).toBe(keyId(next))
    expect(sealedWith(old.sealed)).toBe(old.keyId)
    expect(unseal(next, moved.sealed, 'webhook/1')).toBe('secret')
    expect(unseal([next, key], old.sealed, 'webhook/1')).toBe('secret')
  })
})
