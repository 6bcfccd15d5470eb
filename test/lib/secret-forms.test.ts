import { describe, expect, it } from 'vitest'
import { withoutSecrets } from '../../src/lib/secret-forms-rules.ts'

describe('a text that is logged', () => {
  it('cuts out by its form what looks like a secret, whatever it stands in', () => {
    const text =
      'ptk_abc-DEF_1 whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw== authorization: Bearer abc.def~1 smtp://u:p%40ss@mail.example.com postgres://pricetape:x@db/y https://example.com:443/a@b'
    expect(withoutSecrets(text)).toBe(
      'ptk_[redacted] whsec_[redacted] authorization: Bearer [redacted] smtp://u:[redacted]@mail.example.com postgres://pricetape:[redacted]@db/y https://example.com:443/a@b',
    )
  })
})
