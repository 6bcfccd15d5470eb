import { describe, expect, it } from 'vitest'
import type { ModelRule } from '../../../src/collectors/reading/pages/declaration.ts'
import { modelsOf } from '../../../src/collectors/reading/pages/model-cell.ts'
import type { Cell } from '../../../src/collectors/reading/tables/schema.ts'

const rule: ModelRule = {
  name: /^m-\d+(?: plus)? ?/,
  separator: ' / ',
  notes: /\(new\)/g,
  retired: /\bretired\b/i,
  discounts: [{ note: /\bhalf in a batch\b/, kinds: ['input'], tier: { service: 'batch' }, percent: 50 }],
  resource: (name, link) => (name === 'm-9' ? undefined : `${name.replace(' ', '-')}${link ?? ''}`),
}
const cell = (text: string, more: Partial<Cell> = {}): Cell => ({
  text,
  codes: [],
  links: [],
  labels: [],
  isHeading: false,
  ...more,
})
const read = (text: string, more: Partial<Cell> = {}, other: Partial<ModelRule> = {}) =>
  modelsOf(cell(text, more), { ...rule, ...other })
const none = { conditions: {}, isRetired: false, discounts: [] }

describe('the cell of a model', () => {
  it('holds one name or several, with the notes that change nothing taken off', () => {
    expect(read('m-1 plus (new)')).toEqual({ ...none, resources: ['m-1-plus'] })
    expect(read('m-1 (new)prompts > 2k')).toEqual({ ...none, resources: ['m-1'], conditions: { above: 2_000 } })
    expect(read(' m-1 / m-2 ')).toEqual({ ...none, resources: ['m-1', 'm-2'] })
    expect(read('m-1 (*)', {}, { separator: undefined, notes: undefined })).toEqual({ ...none, resources: ['m-1'] })
    expect(read('m-1', {}, { resource: undefined })).toEqual({ ...none, resources: ['m-1'] })
    expect(read('m-1 ', {}, { resource: undefined })).toEqual({ ...none, resources: ['m-1'] })
  })

  it('takes the name from a link at its beginning, whose captions are not notes', () => {
    const links = [{ text: 'm-1 plus', to: '#a' }]
    expect(read('m-1 plus for everyone', { links })).toEqual({ ...none, resources: ['m-1-plus#a'] })
    expect(read('m-1 plus prompts > 2k', { links })).toMatchObject({ conditions: { above: 2_000 } })
    const later = [{ text: 'm-2', to: '#b' }]
    expect(read('m-1 as m-2', { links: later })).toMatchObject({ resources: ['m-1'], unknown: 'm-1 as m-2' })
    const other = [{ text: 'm-1 plus more', to: '#c' }, { text: 'no', to: '#d' }] // biome-ignore format: links
    expect(read('m-1 plus more', { links: other })).toMatchObject({ resources: ['m-1-plus'], unknown: 'm-1 plus more' })
    expect(read('no model', { links: other })).toMatchObject({ isText: true })
  })

  it('is of a retired model where a note or the name of a button says so', () => {
    expect(read('m-1 (retired)')).toEqual({ ...none, resources: ['m-1'], isRetired: true })
    expect(read('m-1', { labels: ['Model 1 (Retired)'] })).toEqual({ ...none, resources: ['m-1'], isRetired: true })
    expect(read('m-1', { labels: ['Copy'] })).toEqual({ ...none, resources: ['m-1'] })
    expect(read('m-1', { labels: ['Retired'] }, { retired: undefined })).toEqual({ ...none, resources: ['m-1'] })
  })

  it('names the discounts of its notes, and a note that no one declared', () => {
    const noted = read('m-1 half in a batch', {}, { notes: /half in a batch/g })
    expect(noted).toEqual({ ...none, resources: ['m-1'], discounts: rule.discounts })
    expect(read('m-1 half in a batch')).toEqual({
      ...none,
      resources: ['m-1'],
      discounts: rule.discounts,
      unknown: 'm-1 half in a batch',
    })
    expect(read('m-1', {}, { discounts: undefined })).toEqual({ ...none, resources: ['m-1'] })
    expect(read('m-1')).not.toHaveProperty('unknown')
  })

  it('says what is wrong where it holds no model', () => {
    expect(read('contact sales')).toEqual({ problem: 'has “contact sales” where a model should be', isText: true })
    expect(read('m-9 ')).toEqual({ problem: 'lists “m-9”, and no rule says what the API calls it' })
    expect(read('m-1 until June 31, 2026')).toEqual({
      problem: 'lists “m-1 until June 31, 2026” with a day that does not exist',
    })
  })
})
