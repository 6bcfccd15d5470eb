import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { signalsOf } from '../../../src/terms/extract/signals.ts'

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ')
const script = (bytes: number) => `<script>${'x'.repeat(bytes)}</script>`
const signals = (body: string, head = '') => signalsOf(load(`<html><head>${head}</head><body>${body}</body></html>`))

describe('what a page says of itself by its markup', () => {
  it.each<[what: string, body: string, expected: string[]]>([
    ['nothing', `<p>${words(80)}</p>`, []],
    ['a password', '<form><input type="password"></form>', ['login page']],
    ['another field', '<form><input type="text"></form>', []],
    ['a challenge', '<div class="h-captcha"></div>', ['captcha']],
    ['a challenge from elsewhere', '<iframe src="https://x.example/CAPTCHA/1"></iframe>', ['captcha']],
    ['a check in the background', `<script src="https://x.example/recaptcha.js?render=abc"></script>${words(80)}`, []],
    [
      'a check in the background and a challenge',
      `<script src="https://x.example/recaptcha.js?render=abc"></script><div class="g-recaptcha"></div>${words(80)}`,
      ['captcha'],
    ],
    [
      'everything',
      `<input type="password"><div id="px-captcha"></div>${script(2_000)}`,
      [...['login page', 'captcha', 'needs a browser']],
    ],
  ])('with %s', (_, body, expected) => {
    expect(signals(body)).toEqual(expected)
  })

  it.each([
    ['<meta http-equiv="refresh" content="0; url=/login">', true],
    ['<meta http-equiv="REFRESH" content="5;URL = /login">', true],
    ['<meta http-equiv="refresh" content="300">', false],
    ['<meta http-equiv="refresh">', false],
    ['<meta name="description" content="url=/login">', false],
  ])('leads elsewhere, or is only loaded again: %s', (head, leads) => {
    expect(signals('<p>Terms</p>', head)).toEqual(leads ? ['redirects in the page'] : [])
  })

  it('needs a browser with less than 60 words beside 2,000 bytes of script', () => {
    for (const [body, needs] of [
      [words(59) + script(2_000), true],
      [words(60) + script(2_000), false],
      [words(59) + script(1_999), false],
      [words(59) + script(1_000) + script(1_000), true],
      // A script from elsewhere counts as much.
      [`${words(59)}<script src="/app.js"></script>`, true],
      [`${words(59)}<script></script>`, false],
      // Words within words count once each, and those that are not shown do not.
      [`<div>${words(20)}<ul><li>${words(20)}<b>${words(20)}</b></li></ul></div>${script(2_000)}`, false],
    ] as const)
      expect([body.slice(-40), signals(body)]).toEqual([body.slice(-40), needs ? ['needs a browser'] : []])
    for (const hidden of ['style', 'noscript', 'template', 'nav', 'header', 'footer'])
      expect([hidden, signals(`<${hidden}>${words(80)}</${hidden}>${script(2_000)}`)]).toEqual([
        hidden,
        ['needs a browser'],
      ])
    expect(signals(`<main>${words(80)}</main>${script(2_000)}`)).toEqual([])
  })
})
