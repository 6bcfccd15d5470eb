import { describe, expect, it } from 'vitest'
import { afterSignIn, ownPath, signInFor } from '../../src/web/search.ts'

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

  it('keeps the secret of a link behind the #, where no server reads it', () => {
    const invited = signInFor({ pathname: '/invitation', searchStr: '', hash: 'token=secret' })
    expect(invited).toEqual({ to: '/sign-in', search: { next: '/invitation' }, hash: 'token=secret' })
    expect(afterSignIn('/invitation', '#token=secret')).toBe('/invitation#token=secret')
    const narrowed = signInFor({ pathname: '/prices', searchStr: '?q=a', hash: '' })
    expect(afterSignIn(narrowed.search.next, '')).toBe('/prices?q=a')
    expect(afterSignIn(undefined, '')).toBe('/')
  })
})
