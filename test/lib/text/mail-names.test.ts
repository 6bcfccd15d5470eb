import { describe, expect, it } from 'vitest'
import { nameInMail } from '../../../src/lib/text/mail-names.ts'

describe('a name in a mail', () => {
  it.each([
    ['Your account is locked. Sign in at evil.example', 'Your account is locked. Sign in at [address removed]'],
    ['https://evil.example/x', '[address removed]'],
    ['see HTTP://localhost', 'see [address removed]'],
    ['www.evil', '[address removed]'],
    ['mail help@evil.example now', 'mail [address removed] now'],
    ['mailto:help', '[address removed]'],
    ['evil\u3002example', '[address removed]'],
    ['evil\uff0eexample', '[address removed]'],
    ['ev\u00adil.\u200bexample', '[address removed]'],
    ['\u0435vil.\u0440\u0444', '[address removed]'],
    ['xn--80ak6aa92e', '[address removed]'],
    ['call 192.0.2.1', 'call [address removed]'],
    ['\\\\evil\\share', '[address removed]'],
    ['two\u2028lines\u00a0here', 'two lines here'],
  ])('carries no address: %s', (name, shown) => expect(nameInMail(name)).toBe(shown))

  it.each(['Acme Inc.', 'Olga', 'Team A/B: prices, EU', 'Ünïcode & Söhne', 'Preise №1'])(
    'stays otherwise: %s',
    (name) => expect(nameInMail(name)).toBe(name.normalize('NFKC')),
  )
})
