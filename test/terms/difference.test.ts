import { describe, expect, it } from 'vitest'
import { differenceOf, sideBySide } from './compare/read.ts'
import { replaceIn, SUBSTANTIVE, sentences, TERMS } from './texts.ts'

describe('the difference of two texts', () => {
  const difference = () => differenceOf(TERMS, SUBSTANTIVE)

  it('says per section what went and what came', () => {
    expect(difference().sections).toEqual([
      {
        section: 'Your content',
        wordsRemoved: 5,
        wordsAdded: 14,
        removed: [expect.stringContaining('We do not use your content')],
        added: [expect.stringContaining('You can object')],
      },
    ])
  })

  it('is a unified diff of paragraphs', () => {
    expect(difference().diff.split('\n')).toEqual([
      expect.stringMatching(/^@@ -\d+,3 \+\d+,3 @@$/),
      ' • We may use your content to provide the services, to comply with the law and to enforce our policies.',
      '-• We do not use your content to train our models unless you agree.',
      '+• We use your content to train our models. You can object to this at any time in the settings of your account.',
      ' ## 3. Payment',
    ])
    expect(difference().truncated).toBe(false)
  })

  it('shows of a reworded paragraph the words around the change', () => {
    const reworded = differenceOf(TERMS, replaceIn(TERMS, '30 days', '14 days')).sections[0]!
    expect(reworded.removed[0]).toMatch(/^… .*change them with 30 days notice\.$/)
  })

  it('shows of a very long reworded paragraph the part around the change, in the diff too', () => {
    const terms = (end: string) => `# Terms\n\n${sentences(100, 'rule').replaceAll('\n\n', ' ')} You pay ${end}.`
    const { diff } = differenceOf(terms('at the end of a month'), terms('in advance'))
    expect(diff).toMatch(/^-… .*You pay at the end of a month\.$/m)
    expect(diff).toMatch(/^\+… .*You pay in advance\.$/m)
  })

  it('does not show what only looks different', () => {
    const dressed = replaceIn(TERMS, 'pricing page', '[pricing page](https://example.com/?id=1)')
    expect(differenceOf(TERMS, dressed)).toMatchObject({ sections: [], diff: '', wordsAdded: 0, wordsRemoved: 0 })
  })

  it('is bounded, and says when something was left out', () => {
    const long = Array.from(
      { length: 120 },
      (_, i) => `## Part ${'abcdefghij'[i % 10]}${i}\n\n${sentences(9, `part${i}`)}`,
    )
    const large = differenceOf(TERMS, `${TERMS}\n\n${long.join('\n\n')}`)
    expect(large.diff.length).toBeLessThanOrEqual(20_000)
    expect(large.sections.length).toBeLessThanOrEqual(50)
    expect(large.truncated).toBe(true)
    expect(JSON.stringify(large).length).toBeLessThan(400_000)
  })

  it('is shown side by side with the words marked that differ', () => {
    const { rows, truncated } = sideBySide(TERMS, SUBSTANTIVE)
    expect(truncated).toBe(false)
    const changed = rows.filter((row) => row.kind !== 'same')
    expect(changed).toHaveLength(1)
    expect(changed[0]).toMatchObject({ kind: 'changed', section: 'Your content' })
    expect(
      changed[0]!
        .words!.filter((word) => word.kind !== 'added')
        .map((word) => word.text)
        .join(''),
    ).toBe(changed[0]!.left)
    expect(rows.filter((row) => row.kind === 'same').length).toBeGreaterThan(10)
  })
})
