import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../src/terms/compare/changes-rules.ts'
import { classify } from '../../src/terms/compare/classify-rules.ts'
import { readText } from '../../src/terms/normalize/normal-form-rules.ts'
import { RULES } from '../../src/terms/rules.ts'

function kindOf(before: string, after: string, without: string[] = []) {
  const [a, b] = [readText(before, new Set(without)), readText(after, new Set(without))]
  return classify(a, b, changesBetween(a, b))
}
const PAIRS = RULES.flatMap((one) => RULES.filter((other) => other !== one).map((other) => [one, other] as const))

describe('the rules of the normal form', () => {
  it('have names that differ', () => {
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length)
  })

  it.each(RULES.map((rule) => [rule.name, rule] as const))(
    '%s: keeps its example silent, and it alone does',
    (name, rule) => {
      const [before, after] = rule.example
      expect(kindOf(before, after)).toBe('cosmetic')
      expect(kindOf(after, before)).toBe('cosmetic')
      expect(kindOf(before, after, [name])).not.toBe('cosmetic')
    },
  )

  it('do not hide a clause that changes beside any of their examples', () => {
    for (const { example } of RULES) {
      const [before, after] = example
      expect(kindOf(before, `${after}\n\nYou must not resell the services.`)).toBe('substantive')
    }
  })

  it('do not hide what another says: examples of two rules together stay silent or are dates', () => {
    const silent = PAIRS.filter(([one, other]) => {
      const [a, b] = [one.example, other.example]
      const together = (i: 0 | 1) =>
        `${a[i]}\n\n${'A clause between the two that is long enough to part them. '.repeat(3)}\n\n${b[i]}`
      return kindOf(together(0), together(1)) === 'cosmetic'
    })
    // What a rule needs at the top, or over the whole text, it does not explain further below.
    expect(silent.length).toBeGreaterThan(PAIRS.length / 3)
  })
})
