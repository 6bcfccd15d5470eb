import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blocksOf, normalForm } from '../compare/read.ts'
import { replaceIn, TERMS } from '../texts.ts'

const word = fc.stringMatching(/^[a-z]{4,9}$/)
const paragraph = fc.array(word, { minLength: 12, maxLength: 30 }).map((words) => `${words.join(' ')}.`)
const document = fc.array(paragraph, { minLength: 1, maxLength: 8 })

describe('the normal form of a document', () => {
  it('is the same when it is taken of itself, paragraph by paragraph', () => {
    fc.assert(
      fc.property(document, (paragraphs) => {
        const blocks = blocksOf(paragraphs.join('\n\n'))
        const again = blocks.map((block) => block.text).join('\n\n')
        expect(normalForm(again)).toBe(normalForm(paragraphs.join('\n\n')))
      }),
      { numRuns: 60 },
    )
  })

  it('does not see tracking ids in links, emphasis, bullets, numbering, wrapping and other spaces', () => {
    const decorate = fc.constantFrom(
      (text: string) => `**${text}**`,
      (text: string, id: string) => `[${text}](https://example.com/redirect/website.v1.${id}/terms?utm_source=${id})`,
      (text: string) => `* ${text}`,
      (text: string) => `12\\. ${text}`,
      (text: string) => `> ${text}`,
      (text: string) => text.replaceAll(' ', '\u00a0'),
      (text: string) => text.replace(/ /, '\n'),
      (text: string, id: string) => `![logo ${id}](https://cdn.example.com/${id}.png)${text}`,
      (text: string) => `${text.slice(0, 3)}\u200b${text.slice(3)}`,
    )
    fc.assert(
      fc.property(document, fc.uuid(), decorate, fc.nat(), (paragraphs, id, dress, place) => {
        const at = place % paragraphs.length
        const dressed = paragraphs.map((text, i) => (i === at ? dress(text, id) : text))
        expect(normalForm(dressed.join('\n\n'))).toBe(normalForm(paragraphs.join('\n\n')))
      }),
      { numRuns: 120 },
    )
  })

  it('always sees a changed word', () => {
    fc.assert(
      fc.property(document, fc.nat(), fc.nat(), (paragraphs, p, w) => {
        const at = p % paragraphs.length
        const words = paragraphs[at]!.split(' ')
        words[w % words.length] += 'x'
        const changed = paragraphs.with(at, words.join(' '))
        expect(normalForm(changed.join('\n\n'))).not.toBe(normalForm(paragraphs.join('\n\n')))
      }),
      { numRuns: 120 },
    )
  })

  it.each([
    ['a number', '16 years', '18 years'],
    ['an amount', '$10.00', '$100.0'],
    ['a word', 'keep all rights', 'lose all rights'],
    ['a negation', 'are not refunded', 'are refunded'],
    ['the case of a defined term in a sentence', 'your use of our services', 'your use of our Services'],
    ['a name', 'Example, Inc.', 'Sample, Inc.'],
  ])('sees %s that changed', (_what, from, to) => {
    expect(normalForm(replaceIn(TERMS, from, to))).not.toBe(normalForm(TERMS))
  })

  it.each([
    ['quotes and dashes', 'You keep all rights', '“You” — keep all rights'],
    ['a comma', 'your account, and you', 'your account and you'],

    ['the number of a heading', '## 3. Payment', '## 4\\. Payment'],
    ['where a link opens', 'the pricing page', '[the pricing page(opens in a new window)](https://example.com/p)'],
    ['where a link opens, without a space', 'the pricing page', 'the pricing pageOpens in new tab'],

    ['a space before the stop of a number', '## 3. Payment', '## 3 . Payment'],

    ['where a link opens, in German', 'the pricing page', 'the pricing page (öffnet in neuem Fenster)'],
    ['where a link opens, in Spanish', 'the pricing page', 'the pricing page (se abre en una ventana nueva)'],
    ['a number whose emphasis is not emphasis', 'To the extent', '**4\\. To the extent.**'],
    ['quotes that were encoded twice', 'You keep all rights', 'You keep â\u0080\u0098all rightsâ€™'],
    ['an anchor with spaces', '## 3. Payment', '## 3. Payment(#3. PAYMENT (new))'],
    ['a letter without its space', 'You keep all rights', '(a)You keep all rights'],
    ['a language chooser', '# Terms of Service', 'Select language\n\n# Terms of Service'],
    ['the title of the page', '# Terms of Service', 'Terms of Service | Example\n\n# Terms of Service'],

    ['a link to earlier versions', 'March 3, 2025', 'March 3, 2025[Previous Version](https://example.com/a/b1c2)'],
    ['an invisible space', 'the pricing page', 'the pri\u00adcing page'],

    ['another way to write a date', 'March 3, 2025', '3rd March 2025'],
    ['another label of the same date', 'Last updated:', 'Effective as of'],
    ['a heading in the other style', '## 3. Payment', 'Payment\n-------'],
    ['table layout', '| Plan | Fee |\n| --- | --- |', '|Plan|Fee|\n|:---|---:|'],
  ])('does not see %s', (_what, from, to) => {
    expect(normalForm(replaceIn(TERMS, from, to))).toBe(normalForm(TERMS))
  })

  it('does not see ids and queries in an address that is shown', () => {
    const page = (address: string) => `Read [${address}](${address}) before you use the services of this provider.`
    const other = page('https://example.com/redirect/website.v1.7a51ab3c/terms?utm_source=mail')
    expect(normalForm(other)).toBe(normalForm(page('https://www.example.com/terms')))
  })

  it.each([['Terms & Conditions of Example', 'Terms and Conditions of Example']])(
    'reads both kinds of English as one: %s',
    (british, american) => {
      expect(normalForm(british)).toBe(normalForm(american))
    },
  )

  it('reads letters that were encoded twice', () => {
    expect(normalForm('Les dÃ©chets sont triÃ©s Ã\u00a0 part.')).toBe(normalForm('Les déchets sont triés à part.'))
    expect(normalForm('São João')).not.toBe(normalForm('Sao Joao'))
  })

  it.each([
    ['within four days', 'within for days'],
    ['for hours of use', 'for hors of use'],
    ['the fees are waived', 'the fees are raised'],
  ])('does not take one word for another: %s', (word, other) => {
    expect(normalForm(word)).not.toBe(normalForm(other))
  })

  it.each([
    [
      'a link whose text has an empty line',
      '- [Read the terms\n    \n    (opens in a new window)](https://example.com/a/1)',
      '- Read the terms',
    ],
    [
      'a second target behind a link',
      'Write to ([us](mailto:a@example.com)\\](mailto:a@example.com) today.',
      'Write to (us today.',
    ],
    [
      'a numbered heading underlined with dashes',
      '3. Use of it\n-----------\n\nText of it.',
      '## Use of it\n\nText of it.',
    ],
    ['a heading without its space', '##2. Use of it\n\nText of it.', '## 2. Use of it\n\nText of it.'],
    ['a link by reference', 'See [the policy][p] now.\n\n[p]: https://example.com/p', 'See the policy now.'],
    ['entities', 'Fees &amp; taxes &lt; 5 &euro;', 'Fees & taxes < 5 €'],
    ['numbering in bold letters', '**a. Orders.** An order is an offer.', 'Orders. An order is an offer.'],
  ])('reads %s', (_what, markdown, plain) => {
    expect(normalForm(markdown)).toBe(normalForm(plain))
  })

  it('keeps a year that a list would take for its number', () => {
    expect(normalForm('2025. The year of it.')).not.toBe(normalForm('2026. The year of it.'))
  })

  it('counts each character of a language without spaces', () => {
    expect(blocksOf('我们不会使用你的内容。')[0]!.words).toHaveLength(10)
    expect(blocksOf('利用規約に同意します')[0]!.words).toHaveLength(10)
  })

  it('reads numbers apart that only spaces keep apart', () => {
    expect(normalForm('Sections 1 5 apply to this agreement')).not.toBe(
      normalForm('Sections 15 apply to this agreement'),
    )
  })
})
