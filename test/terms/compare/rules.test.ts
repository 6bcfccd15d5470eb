import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../../src/terms/compare/changes-rules.ts'
import { classify } from '../../../src/terms/compare/classify-rules.ts'
import { siteOf } from '../../../src/terms/compare/site-heads-rules.ts'
import { readText } from '../../../src/terms/normalize/normal-form-rules.ts'
import { BASE, HUB } from '../../../src/terms/rule.ts'
import { RULES } from '../../../src/terms/rules.ts'

const SITE = siteOf([readText(HUB)])

function kindOf(before: string, after: string, without: string[] = []) {
  const [a, b] = [readText(before, new Set(without)), readText(after, new Set(without))]
  return classify(a, b, changesBetween(a, b), SITE)
}
const PAIRS = RULES.flatMap((one, i) => RULES.slice(i + 1).map((other) => [one, other] as const))

describe('the rules of the normal form', () => {
  it('have names that differ', () => {
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length)
  })

  it.each(RULES.map((rule) => [rule.name, rule] as const))(
    '%s: keeps its example silent, and it alone does',
    (name, rule) => {
      const [before, after] = [BASE, rule.example(BASE)]
      expect(kindOf(before, after)).toBe('cosmetic')
      expect(kindOf(after, before)).toBe('cosmetic')
      expect(kindOf(before, after, [name])).not.toBe('cosmetic')
    },
  )

  it('do not hide a clause that changes beside any of their examples', () => {
    for (const { example } of RULES) {
      expect(kindOf(BASE, `${example(BASE)}\n\nYou must not resell the services.`)).toBe('substantive')
    }
  })

  it.each(PAIRS.map(([one, other]) => [one.name, other.name, one, other] as const))(
    '%s and %s: two changes that make no event make none together',
    (_one, _other, { example: one }, { example: other }) => {
      for (const after of [one(other(BASE)), other(one(BASE))]) {
        expect(kindOf(BASE, after)).toBe('cosmetic')
        expect(kindOf(after, BASE)).toBe('cosmetic')
      }
      expect(kindOf(one(BASE), other(BASE))).toBe('cosmetic')
    },
  )
})
