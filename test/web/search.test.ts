import { describe, expect, it } from 'vitest'
import { ownPath } from '../../src/web/search.ts'

describe('the page that sign-in leads back to', () => {
  it('is a page of this app, and never an address elsewhere', () => {
    expect(ownPath('/prices?q=a')).toBe('/prices?q=a')
    const elsewhere = [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      'javascript:alert(1)',
      'prices',
      7,
    ]
    expect(elsewhere.map(ownPath)).toEqual(elsewhere.map(() => undefined))
  })
})
