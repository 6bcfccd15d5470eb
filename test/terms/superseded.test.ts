import { describe, expect, it } from 'vitest'
import { onlySuperseded } from '../../src/terms/compare/superseded-rules.ts'
import { readText } from '../../src/terms/normalize/normal-form-rules.ts'

/** Clauses of twelve words each. */
const clauses = (from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, i) => `Clause ${from + i} says that number ${from + i} of all things here is kept.`,
  )
const OLD = clauses(0, 40)
/** A new edition: each third clause is another. A copy that repeats every line would be read once. */
const edition = (text: string[]) =>
  text.map((clause, i) => (i % 3 === 2 ? clause.replaceAll(`${i}`, `${i + 100}`) : clause))
const NEW = [...edition(OLD), ...clauses(300, 302)]
const superseded = (before: string[], after: string[], earlier: string[]) => {
  const [a, b, c] = [before, after, earlier].map((parts) => readText(parts.join('\n\n')))
  return onlySuperseded(a!, b!, c!)
}

describe('the text of before, which stood below the new one', () => {
  it('went: what stays was there', () => {
    expect(superseded([...NEW, ...OLD], NEW, OLD)).toBe(true)
    expect(superseded([...OLD, ...NEW], NEW, OLD)).toBe(true)
  })

  it('went, and the line that said which one is in force is another', () => {
    const soon = 'The new text takes effect on 1 June 2026.'
    expect(superseded([soon, ...NEW, ...OLD], ['In effect since 1 June 2026.', ...NEW], OLD)).toBe(true)
  })

  it('stays: the new one was withdrawn', () => {
    expect(superseded([...NEW, ...OLD], OLD, OLD)).toBe(false)
    expect(superseded([...NEW, ...OLD], [...OLD, 'We withdrew the new text.'], OLD)).toBe(false)
  })

  it('went, and the new one says something else now', () => {
    const more = clauses(200, 203)
    expect(superseded([...NEW, ...OLD], [...NEW, ...more], OLD)).toBe(false)
    expect(superseded([...NEW, ...OLD], NEW.slice(0, 25), OLD)).toBe(false)
  })
})

describe('a large part that went is a change', () => {
  it('when it was in force alone and what stays is no edition of it', () => {
    const annex = clauses(300, 340)
    expect(superseded([...OLD, ...annex], annex, OLD)).toBe(false)
    const some = (share: number) => OLD.filter((_, i) => i % share === 0)
    const [half, third] = [some(2), some(3)].map((kept) => kept.flatMap((clause, i) => [clause, annex[i]!]))
    expect(superseded([...OLD, ...third!], third!, OLD)).toBe(false)
    expect(superseded([...OLD, ...half!], half!, OLD)).toBe(true)
  })

  it('when the earlier text said much more', () => {
    expect(superseded([...NEW, ...OLD], NEW, [...OLD, ...clauses(400, 420)])).toBe(false)
  })

  it('when the earlier text did not have it', () => {
    const changed = OLD.map((clause, i) => (i % 5 === 4 ? `${clause} So be it.` : clause))
    expect(superseded([...NEW, ...changed], NEW, OLD)).toBe(false)
  })

  it('when it has fewer than 300 words', () => {
    const [few, enough] = [24, 25].map((count) => clauses(0, count))
    expect(superseded([...edition(few!), ...few!], edition(few!), few!)).toBe(false)
    expect(superseded([...edition(enough!), ...enough!], edition(enough!), enough!)).toBe(true)
  })
})
