import { describe, expect, it } from 'vitest'
import { MODEL_LISTS } from '../../src/collectors/formats/model-lists/index.ts'
import { SnapshotError } from '../../src/collectors/index.ts'
import { ignored, lines, parseAs, unreadable } from './support.ts'

type Model = Record<string, unknown>

/** A model of each list with an input and an output price, as numbers or texts that stand where the list has them. */
const MODELS: Record<string, (id: string, input: unknown, output: unknown) => Model> = {
  openrouter: (id, prompt, completion) => ({ id, pricing: { prompt, completion } }),
}

/** What one dollar per million tokens is in each list. */
const DOLLAR: Record<string, unknown> = { openrouter: '0.000001' }
const times = (amount: unknown, factor: number) =>
  typeof amount === 'string' ? (Number(amount) * factor).toFixed(12) : Number(amount) * factor

describe.each(MODEL_LISTS)('the list of $format, which its seller publishes', ({ format, list, needed, id }) => {
  const parse = parseAs(format)
  const model = MODELS[format]!
  const one = DOLLAR[format]!
  const listOf = (...models: Model[]) => (list === undefined ? models : { [list]: models })
  const many = (factor: number) =>
    listOf(...Array.from({ length: 12 }, (_, n) => model(`m${n}`, times(one, factor), times(one, factor * 2))))
  const prices = (data: unknown) => lines(parse(data)).map((line) => line.replace(/ usd_per_token \{.*\}/, ''))

  it('gives exact prices per token', () => {
    expect(prices(listOf(model('acme/m', one, times(one, 4))))).toEqual([
      'acme/m input_tokens 0.000001',
      'acme/m output_tokens 0.000004',
    ])
  })

  it.each([
    ['a page that refuses', '<!doctype html><title>403 Forbidden</title>', 'The answer is a web page'],
    ['a refusal as JSON', { error: { code: 403, message: 'Forbidden' } }, /The answer (has no `|is not a list)/],
    ['an empty answer', '', 'The answer is empty'],
    ['a list that is cut off', '[{"id": "m"', 'The answer is cut off'],
    ['a list of something else', listOf('m' as never), 'holds something that is not an object at position 0'],
    ['an empty list', listOf(), 'is an empty list'],
    ['models without prices', listOf({ [id]: 'm' }), `No model has a price \`${needed[0]}\``],
    ['an amount that is not a number', listOf(model('m', 'NaN', 'soon')), 'The answer lists no prices at all'],
  ])('quarantines %s, and says why', (_what, data, reason) => {
    expect(() => parse(data)).toThrow(SnapshotError)
    expect(() => parse(data)).toThrow(reason)
  })

  it.each(needed)('quarantines a list in which no model has %s any more', (key) => {
    const renamed = JSON.stringify(many(1)).replaceAll(`"${key.split('.').at(-1)}"`, '"price_v2"')
    expect(() => parse(renamed)).toThrow(/No model has a price|The answer lists no prices/)
  })

  it.each([1_000, 1 / 1_000, 1_000_000])(
    'quarantines prices that are all %d times as high: the unit changed',
    (factor) => {
      expect(prices(many(1))).toHaveLength(24)
      expect(() => parse(many(factor))).toThrow('the list changed its unit')
    },
  )

  it.each([[times(one, -1)], ['1e-400'], ['NaN'], ['Infinity'], ['1,5'], [true], [[1]]])(
    'takes %j for no price: the model is listed, and its other price is read',
    (amount) => {
      const read = parse(listOf(model('m', amount, one), model('n', one, one)))
      expect(lines(read).filter((line) => line.startsWith('m '))).toEqual(['m output_tokens usd_per_token {} 0.000001'])
      expect(unreadable(read).join()).toContain('m input_tokens')
    },
  )

  it('reads neither of two models of one name with different prices', () => {
    const read = parse(listOf(model('m', one, one), model('n', one, one), model('m', times(one, 2), one)))
    expect(new Set(lines(read).map((line) => line.split(' ')[0]))).toEqual(new Set(['n']))
    expect(ignored(read)).toEqual({ 'a name that stands twice with other prices': 2 })
  })

  it('reads a model that stands twice alike once', () => {
    expect(prices(listOf(model('m', one, one), model('m', one, one)))).toHaveLength(2)
  })

  it('lists a model without prices as one whose price is unknown', () => {
    const read = parse(listOf(model('m', one, one), { [id]: 'bare' }))
    expect(unreadable(read)).toEqual(['bare = a model without an id or without prices'])
  })
})
