import { describe, expect, it } from 'vitest'
import { withoutSecrets } from '../../../src/lib/text/secret-forms-rules.ts'

describe('a text that is logged', () => {
  it('cuts out by its form what looks like a secret, whatever it stands in', () => {
    const text =
      'ptk_abc-DEF_1 whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw== authorization: Bearer abc.def~1 smtp://u:p%40ss@mail.example.com postgres://pricetape:x@db/y https://example.com:443/a@b'
    expect(withoutSecrets(text)).toBe(
      'ptk_[redacted] whsec_[redacted] authorization: Bearer [redacted] smtp://u:[redacted]@mail.example.com postgres://pricetape:[redacted]@db/y https://example.com:443/a@b',
    )
  })

  it.each([
    ['BEARER  a.b', 'BEARER [redacted]'],
    ['Basic dXNlcjpwYXNz==', 'Basic [redacted]'],
    ['Bearer a+b/c~d-e=', 'Bearer [redacted]'],
    [
      'keys ptk_a and ptk_b, whsec_a+b/c= and whsec_d',
      'keys ptk_[redacted] and ptk_[redacted], whsec_[redacted] and whsec_[redacted]',
    ],
    ['key=ptk_a;x', 'key=ptk_[redacted];x'],
    ['postgres://a:b@c postgres://d:e@f', 'postgres://a:[redacted]@c postgres://d:[redacted]@f'],
    ['git+SSH.x-1://a:b!$&(c)@d', 'git+SSH.x-1://a:[redacted]@d'],
    ['redis://:secret@host:6379', 'redis://:[redacted]@host:6379'],
  ])('cuts it out of %j', (text, clean) => {
    expect(withoutSecrets(text)).toBe(clean)
  })

  it.each([
    [''],
    ['no secret'],
    ['Bearer ! news'],
    ['the ptk_ of keys and whsec_'],
    ['aptk_x'],
    ['http://host:80/a:b@c'],
    ['http://host/?a:b@c'],
    ['http://host#a:b@c'],
    ['a b://c d:e@f'],
    ['mailto:ann:x@example.com'],
  ])('leaves %j as it is', (text) => {
    expect(withoutSecrets(text)).toBe(text)
  })
})
