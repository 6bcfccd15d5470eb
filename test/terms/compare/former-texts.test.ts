import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../../src/terms/compare/changes-rules.ts'
import { nearestOf } from '../../../src/terms/compare/doubts/former-texts-rules.ts'
import type { Block } from '../../../src/terms/normalize/normal-form-rules.ts'
import { block, textOf } from '../normalize/blocks.ts'

/** This many different words in a paragraph of its own. */
const said = (count: number, name: string): Block =>
  block(Array.from({ length: count }, (_, i) => `${name}${'abcdefghijklmnopqrstuvwxyz'[i % 26]}${i}`).join(' '))
const REST = said(200, 'rest')

/** What explains a text, by the earlier ones of its document, beside the one in force. */
function explain(former: Block[][], current: Block[], after: Block[]) {
  const [before, text] = [textOf(current), textOf(after)]
  return nearestOf(former.map(textOf), text, changesBetween(before, text))
}

describe('a text that is nearly an earlier one', () => {
  const OLD = [REST, said(40, 'old')]
  const NEW = [REST, said(40, 'new')]

  it('differs from that one in a quarter of the words at most', () => {
    const near = (count: number) => explain([OLD], NEW, [...OLD, said(count, 'more')])
    // 40 words of the text in force went, 40 came back, and these came.
    expect(near(26)).toMatchObject({ index: 0 })
    expect(near(27)).toBeUndefined()
  })

  it('is shown with what it says otherwise than that one', () => {
    const more = said(5, 'more')
    const found = explain([OLD], NEW, [...OLD, more])
    expect(found).toMatchObject({ changes: [{ before: [], after: [more] }] })
  })

  it('is nearest to the one it shares most with, the newest of equals', () => {
    const after = [...OLD, said(5, 'more')]
    expect(explain([[...OLD, said(3, 'other')], OLD], NEW, after)).toMatchObject({ index: 1 })
    expect(explain([OLD, OLD], NEW, after)).toMatchObject({ index: 0 })
  })

  it('is explained by the text in force when it differs from it in fewer than 20 words', () => {
    const small = (count: number) =>
      explain([[REST, said(count, 'old')]], [REST, said(10, 'new')], [REST, said(count, 'old')])
    expect(small(10)).toMatchObject({ index: 0 })
    expect(small(9)).toBeUndefined()
  })

  it('needs an earlier text', () => {
    expect(explain([], NEW, OLD)).toBeUndefined()
  })
})
