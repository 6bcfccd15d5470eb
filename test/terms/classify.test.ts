import { describe, expect, it } from 'vitest'
import { classify } from './read.ts'
import { replaceIn, SUBSTANTIVE, sentences, TERMS } from './texts.ts'

describe('a change is', () => {
  it.each([
    ['a link that leads elsewhere', replaceIn(TERMS, 'pricing page', '[pricing page](https://example.com/new)')],
    ['a paragraph that has moved', moved()],
    ['a title that came', `# Agreement\n\n${TERMS}`.replace('# Terms of Service\n', '')],
    [
      'an address that is hidden from robots',
      `${TERMS}\nWrite to [\\[email protected\\]](/cdn-cgi/l/email-protection).`,
    ],
  ])('cosmetic: %s', (what, after) => {
    const before = what.startsWith('an address')
      ? `${TERMS}\nWrite to legal@example.com.`
      : what.startsWith('a title')
        ? TERMS.replace('# Terms of Service\n', '')
        : TERMS
    expect(classify(before, after)).toBe('cosmetic')
  })

  it('cosmetic: a line that breaks before a short end', () => {
    const [first, second] = ['and (d) Example Policies.', 'and (d) Example\nPolicies.']
    const text = (end: string) =>
      `${TERMS}\nIf they conflict, these come first: (a) the order, (b) these terms ${end}\n`
    expect(classify(text(first), text(second))).toBe('cosmetic')
  })

  it('minor: an address that changed beside another that is hidden from robots', () => {
    const text = (address: string) => `${TERMS}\nPress: [email protected].\n\nWrite to ${address} if you object.\n`
    expect(classify(text('legal@example.com'), text('law@example.com'))).toBe('minor')
    expect(classify(text('legal@example.com'), text('[email protected]'))).toBe('cosmetic')
  })

  it('measured in characters where a language has no spaces', () => {
    const text = (verb: string) => `# 服务条款\n\n我们${verb}使用你的内容来训练模型,并会遵守适用的法律。`
    expect(classify(text('不会'), text('将会'))).toBe('minor')
    expect(classify(text('不会'), text('在你同意之后将会'))).toBe('substantive')
  })

  it('dates, when nothing else changed', () => {
    expect(classify(TERMS, replaceIn(TERMS, 'March 3, 2025', '4 April 2026'))).toBe('dates')
  })

  it('minor up to five words', () => {
    expect(classify(TERMS, replaceIn(TERMS, '30 days notice', '14 days notice'))).toBe('minor')
    expect(classify(TERMS, replaceIn(TERMS, 'twelve months', 'six calendar months, not more, '))).toBe('minor')
  })

  it('substantive beyond five words', () => {
    expect(classify(TERMS, SUBSTANTIVE)).toBe('substantive')
  })

  it('substantive when two long texts have nothing in common, in bounded time', () => {
    const started = performance.now()
    expect(classify(sentences(3_000, 'rule'), sentences(3_000, 'thing').replaceAll('described', 'told'))).toBe(
      'substantive',
    )
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})

function moved(): string {
  const item = '- You keep all rights in what you send to the services.\n'
  return replaceIn(replaceIn(TERMS, item, ''), '- We do not use your content', `${item}- We do not use your content`)
}
