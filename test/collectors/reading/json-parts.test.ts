import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../../src/collectors/collector.ts'
import { duplicateKeys, mergeDuplicates } from '../../../src/collectors/reading/duplicate-keys.ts'
import { readJson } from '../../../src/collectors/reading/json.ts'
import type { Path } from '../../../src/collectors/reading/json-entries.ts'
import { jsonReader } from '../../../src/collectors/reading/json-reader.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const atTop = (path: Path) => path.length === 0
const inItems = (path: Path) => path.length === 0 || (path.length === 1 && path[0] === 'items')

/** The entries of a JSON text that is read in parts of this many bytes. */
function entriesOf(text: string, isOpened = atTop, size = 1): [string, unknown][] {
  const entries: [string, unknown][] = []
  let ends = 0
  const reader = jsonReader({
    isOpened,
    onEntry: (path, value) => entries.push([path.join('/'), value]),
    onEnd: () => ends++,
  })
  const bytes = bytesOf(text)
  for (let from = 0; from < bytes.length; from += size) reader.push(bytes.subarray(from, from + size))
  reader.end()
  expect(ends).toBe(1)
  return entries
}

describe('JSON that is read part by part', () => {
  it.each<[text: string, entries: [string, unknown][]]>([
    ['{}', []],
    ['[]', []],
    ['{"a":1}', [['a', 1]]],
    [
      ' { "a" : 1 , "b" : [ 2 , { } ] } ',
      [
        ['a', 1],
        ['b', [2, {}]],
      ],
    ],
    [
      '\ufeff[1,"x",null,true,-2.5e3]',
      [
        ['0', 1],
        ['1', 'x'],
        ['2', null],
        ['3', true],
        ['4', -2500],
      ],
    ],
    [
      '{"a":"}],\\"","b\\\\":"\\\\"}',
      [
        ['a', '}],"'],
        ['b\\', '\\'],
      ],
    ],
    [
      '{"a":{"b":"]}"},"c":[["["]]}',
      [
        ['a', { b: ']}' }],
        ['c', [['[']]],
      ],
    ],
    [
      '[1\n,2\t,3\r]',
      [
        ['0', 1],
        ['1', 2],
        ['2', 3],
      ],
    ],
    ['{"\\u0061":[]}', [['a', []]]],
    ['7', [['', 7]]],
    ['"x"', [['', 'x']]],
  ])('has these entries: %j', (text, entries) => {
    for (const size of [1, 2, 3, 1_000]) expect(entriesOf(text, atTop, size)).toEqual(entries)
  })

  it('opens the containers that are asked for, objects and lists', () => {
    const expected = [
      ['x', [1]],
      ['items/0', { a: 1 }],
      ['items/1', [2]],
      ['y', {}],
    ]
    expect(entriesOf('{"x":[1],"items":[{"a":1},[2]],"y":{}}', inItems)).toEqual(expected)
    expect(entriesOf('{"items":{"a":[1],"b":2}}', inItems)).toEqual([
      ['items/a', [1]],
      ['items/b', 2],
    ])
    expect(entriesOf('{"a":[1]}', () => false)).toEqual([['', { a: [1] }]])
    expect(entriesOf('[[1],[2]]', (path) => path.length < 2)).toEqual([
      ['0/0', 1],
      ['1/0', 2],
    ])
  })

  it('has a text for a key that stands twice in an entry', () => {
    expect(entriesOf('{"a":{"b":1,"b":2}}')).toEqual([['a', { b: 'two values: 1 and 2' }]])
  })

  it.each([
    ['{"a" 1}', 'The answer is not JSON: unexpected "1" in /a.'],
    ['{a:1}', 'The answer is not JSON: unexpected "a" in /.'],
    ['{"a":1 "b":2}', 'The answer is not JSON: unexpected "\\"" in /a.'],
    ['{"a":1,}', 'The answer is not JSON: unexpected "}" in /a.'],
    ['{"a":1]', 'The answer is not JSON: unexpected "]" in /a.'],
    ['[1}', 'The answer is not JSON: unexpected "}" in /0.'],
    ['[,1]', 'The answer is not JSON: unexpected "," in /.'],
    ['{:1}', 'The answer is not JSON: unexpected ":" in /.'],
    ['{} {}', 'The answer is not JSON: unexpected "{" in /.'],
    ['{}]', 'The answer is not JSON: unexpected "]" in /.'],
    ['[1,NaN]', 'The answer holds NaN or Infinity, which is not JSON and not a price.'],
    ['{"a":-Infinity}', 'The answer holds NaN or Infinity, which is not JSON and not a price.'],
    ['{"a":[1, NaN]}', 'The answer holds NaN or Infinity, which is not JSON and not a price.'],
    ['{"a":NaNo}', /^The answer is not JSON: Unexpected token .* in \/a\.$/],
    ['[1', 'The answer is cut off after 2 bytes: its JSON does not end.'],
    ['{"a":"x', 'The answer is cut off after 7 bytes: its JSON does not end.'],
    ['{"a":1', 'The answer is cut off after 6 bytes: its JSON does not end.'],
    ['{"a"', 'The answer is cut off after 4 bytes: its JSON does not end.'],
    ['{"a":"\\"', 'The answer is cut off after 8 bytes: its JSON does not end.'],
    [' \n ', 'The answer is empty; a list of prices was expected.'],
  ])('is refused with one sentence: %j', (text, message) => {
    expect(() => entriesOf(text)).toThrow(SnapshotError)
    expect(() => entriesOf(text)).toThrow(message)
  })

  it.each([' <HTML>', '<?xml version="1.0"?>', '\n<!DOCTYPE html>'])('is a page where it begins so: %j', (text) => {
    expect(() => entriesOf(text, atTop, 64)).toThrow('The answer is a web page, not JSON: the address may have moved')
    expect(() => entriesOf(`[7 ${text}`, atTop, 64)).toThrow('is not JSON')
  })
})

describe('JSON that is read as a whole', () => {
  it.each([
    ['', 'The answer is empty; a list of prices was expected.'],
    ['\n <!doctype html>', 'The answer is a web page, not JSON: the address may have moved or ask for a sign-in.'],
    ['[1, NaN]', 'The answer holds NaN or Infinity, which is not JSON and not a price.'],
    ['{"a":-Infinity}', 'The answer holds NaN or Infinity, which is not JSON and not a price.'],
    ['{"a": 1, "b"', 'The answer is cut off after 12 bytes: its JSON does not end.'],
    ['{"a": oops} ', /^The answer is not JSON: Unexpected token .*\.$/],
    ['[NaN]', 'The answer holds NaN or Infinity, which is not JSON and not a price.'],
    ['[1, Infinity]', 'The answer holds NaN or Infinity, which is not JSON and not a price.'],
    ['{"a": [1], "b"', 'The answer is cut off after 14 bytes: its JSON does not end.'],
    [`{"a":${'x'.repeat(500)}}`, /^The answer is not JSON: .{1,120}\.$/],
    ['[oops]', /^The answer is not JSON: Unexpected token .*\.$/],
  ])('is refused with one sentence: %j', (text, message) => {
    expect(() => readJson(bytesOf(text))).toThrow(SnapshotError)
    expect(() => readJson(bytesOf(text))).toThrow(message)
  })

  it('may have a byte order mark, and the words NaN and html in its texts', () => {
    expect(readJson(bytesOf('\ufeff["NaN", "<html>"] '))).toEqual(['NaN', '<html>'])
  })
})

describe('a key that stands twice', () => {
  const merge = (text: string) => mergeDuplicates(JSON.parse(text), text)

  it('has both values, as far as they differ and are objects', () => {
    expect(merge('{"a":1,"a":1}')).toEqual({ a: 1 })
    expect(merge('{"a":{"x":1,"y":2},"a":{"x":1,"y":3,"z":4}}')).toEqual({
      a: { x: 1, y: 'two values: 2 and 3', z: 4 },
    })
    expect(merge('{"a":{"b":{"x":1}},"a":{"b":{"x":2},"c":1}}')).toEqual({
      a: { b: { x: 'two values: 1 and 2' }, c: 1 },
    })
    expect(merge('{"a":{"b":1},"a":[1]}')).toEqual({ a: 'two values: {"b":1} and [1]' })
    expect(merge(`{"a":"${'x'.repeat(60)}","a":null}`)).toEqual({ a: `two values: "${'x'.repeat(39)} and null` })
    expect(merge('[{"a":1,"a":2},{"a":1}]')).toEqual([{ a: 'two values: 1 and 2' }, { a: 1 }])
    expect(merge('{"a":1,"a":2,"a":3}')).toEqual({ a: 'two values: 2 and 3' })
    expect(merge('{"a":{"b":{"c":{"d":1,"d":2}}},"a":1}')).toEqual({
      a: 'two values: {"b":{"c":{"d":2}}} and 1',
    })
    expect(merge('{"a":[{"b":1,"b":2}],"c":[1,2]}')).toEqual({ a: [{ b: 'two values: 1 and 2' }], c: [1, 2] })
  })

  it('is reported also inside one of two values that become one', () => {
    const both = { b: 'two values: 1 and 2', c: 3 }
    expect(merge('{"a":{"b":1,"b":2},"a":{"c":3}}')).toEqual({ a: both })
    expect(merge('{"a":{"c":3},"a":{"b":1,"b":2}}')).toEqual({ a: both })
    expect(merge('{"x":{"a":{"b":1,"b":2},"a":{"c":3}}}')).toEqual({ x: { a: both } })
  })

  it('is found 100 times', () => {
    const twice = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1,"k${i}":2`).join()}}`
    expect(duplicateKeys(twice(100))).toHaveLength(100)
    expect(() => duplicateKeys(twice(101))).toThrow('more than 100 keys that stand twice')
    expect(duplicateKeys('{"a": 1 ,"a":1,"b":"x","b":"x"}')).toEqual([])
    expect(duplicateKeys('{"a":1,"b":{"a":2},"c":[1,{"a":3}],"a":4}')).toEqual([{ path: ['a'], values: ['1', '4'] }])
  })
})
