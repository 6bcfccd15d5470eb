import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { REASON_TEXTS, reasonText } from '../../../src/prices/review/reason-text-rules.ts'
import { absenceInWords } from '../../../src/prices/review/review-text-rules.ts'

it('has words for every reason that the documentation names, and no others', async () => {
  const text = await readFile(new URL('../../../docs/prices.md', import.meta.url), 'utf8')
  const section = text.slice(text.indexOf('| reason | meaning |'), text.indexOf('## Which changes are events'))
  const named = new Set([...section.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, code]) => code))
  const missing = Object.keys(REASON_TEXTS).filter((code) => !named.has(code) && !section.includes(`\`${code}\``))
  expect(missing).toEqual([])
  const leftOut = ['not_a_price', 'unreadable_name', 'unreadable_text', 'zero_means_unknown', 'duplicate_line']
  expect([...named].filter((code) => !Object.hasOwn(REASON_TEXTS, code!) && !leftOut.includes(code!))).toEqual([])
})

it('explains every reason in a name and a sentence without codes', () => {
  const texts = Object.values(REASON_TEXTS)
  for (const { name, meaning } of texts) {
    expect(name).toMatch(/^[a-z][^_.]{3,30}$/)
    expect(meaning).toMatch(/^[A-Z][^_]*\.$/)
  }
  expect(new Set(texts.map(({ name }) => name)).size).toBe(texts.length)
  expect(reasonText('another language')).toEqual({ name: 'another language', meaning: 'Another language.' })
})

it.each([
  ['gpt 5 output_tokens {} = "N/A"', 'gpt 5: output tokens, listed as "N/A"'],
  ['a b input_tokens {"service":"batch","context":">200000"} = 1,5 = x', 'a b: input tokens (batch, context > 200,000), listed as 1,5 = x'],
  ['cache_read_tokens {"timeOfDay":"16:30-00:30"}', 'cache read tokens (time of day 16:30-00:30)'],
  ['m gpu_hours {} = ', 'm: gpu hours, listed as '],
  ['x input_tokens {"a":"b",}', 'x input_tokens {"a":"b",}'],
  ['anything else', 'anything else'],
])('shows the absence %s as %s', (text, words) => expect(absenceInWords(text)).toBe(words)) // biome-ignore format: pairs
