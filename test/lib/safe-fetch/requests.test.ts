import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../../src/lib/errors.ts'
import { isForeignBrowser, isOverHttps } from '../../../src/lib/http/http.ts'
import { readBody } from '../../../src/lib/http/read-body.ts'

const HOST = { host: 'prices.example' }

describe('a request of a browser', () => {
  it.each([
    ['says that it is for a page of the same origin', { 'sec-fetch-site': 'same-origin' }],
    ['says that a person typed the address', { 'sec-fetch-site': 'none' }],
    ['names our own origin', { origin: 'https://prices.example' }],
    ['says nothing, as programs do', {}],
  ])('is ours when it %s', (_, headers) => {
    expect(isForeignBrowser({ ...HOST, ...headers })).toBe(false)
  })

  it.each([
    ['says that it is for a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['says that it is for a page of a sibling', { 'sec-fetch-site': 'same-site' }],
    ['says so although it names our origin', { 'sec-fetch-site': 'cross-site', origin: 'https://prices.example' }],
    ['names another origin', { origin: 'https://evil.example' }],
    ['names another port', { origin: 'https://prices.example:8443' }],
    ['names an origin that it keeps to itself', { origin: 'null' }],
    ['names two origins', { origin: ['https://prices.example', 'https://evil.example'] }],
    ['says twice where it is from', { 'sec-fetch-site': ['same-origin', 'cross-site'] }],
  ])('is foreign when it %s', (_, headers) => {
    expect(isForeignBrowser({ ...HOST, ...headers })).toBe(true)
  })

  it('is ours behind a proxy that shows another host, when it names the public address', () => {
    const headers = { host: '10.0.0.7:8080', origin: 'https://prices.example' }
    expect(isForeignBrowser(headers)).toBe(true)
    expect(isForeignBrowser(headers, 'https://prices.example/path')).toBe(false)
    expect(isForeignBrowser(headers, 'http://prices.example')).toBe(true)
    expect(isForeignBrowser(headers, 'https://other.example')).toBe(true)
  })

  it('is over HTTPS when we speak it, or when the public address does', () => {
    expect(isOverHttps({ protocol: 'https' })).toBe(true)
    expect(isOverHttps({ protocol: 'http' })).toBe(false)
    expect(isOverHttps({ protocol: 'http' }, 'https://prices.example')).toBe(true)
    expect(isOverHttps({ protocol: 'http' }, 'http://https.example')).toBe(false)
  })
})

describe('a body', () => {
  const schema = z.strictObject({
    url: z.string('must be a text'),
    filters: z.record(z.string(), z.strictObject({ resources: z.array(z.string('must be a name')) })).optional(),
    more: z.unknown().optional(),
  })
  const read = (body: unknown) => readBody(schema, body, 'a webhook')
  const refusal = (body: unknown) => {
    try {
      read(body)
    } catch (error) {
      const { code, message, field } = error as AppError
      expect(error).toBeInstanceOf(AppError)
      return { code, message, field }
    }
    throw new Error('The body was taken.')
  }
  const json = (text: string): unknown => JSON.parse(text)
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { more: nested(depth - 1) })

  it('is what its schema makes of it', () => {
    expect(read({ url: 'a', filters: { openai: { resources: ['x'] } } })).toEqual({
      url: 'a',
      filters: { openai: { resources: ['x'] } },
    })
    expect(readBody(z.string().transform(Number), '7', 'a number')).toBe(7)
  })

  it('is refused with the field that is wrong, without the position in a list', () => {
    expect(refusal({ url: 1 })).toEqual({ code: 'invalid_body', message: 'url: must be a text', field: 'url' })
    expect(refusal({ url: 'a', filters: { openai: { resources: ['x', 1] } } })).toEqual({
      code: 'invalid_body',
      message: 'filters.openai.resources: must be a name',
      field: 'filters.openai.resources',
    })
  })

  it('is refused with the first field that does not exist, wherever it is', () => {
    expect(refusal({ url: 'a', uri: 1, urn: 2 })).toEqual({
      code: 'invalid_body',
      message: 'uri: is not a field of a webhook',
      field: 'uri',
    })
    expect(refusal({ url: 'a', filters: { openai: { resources: [], models: [] } } }).field).toBe(
      'filters.openai.models',
    )
  })

  it('is refused as a whole when it is not an object', () => {
    for (const body of [undefined, null, 'text', 7, []])
      expect(refusal(body)).toEqual({
        code: 'invalid_body',
        message: 'The body must be a JSON object.',
        field: undefined,
      })
  })

  it('is refused when it names __proto__, which would get lost in silence', () => {
    expect(refusal(json('{"url":"a","__proto__":{}}'))).toEqual({
      code: 'invalid_body',
      message: '__proto__: is not a field of a webhook',
      field: '__proto__',
    })
    expect(refusal(json('{"url":"a","filters":{"x":{},"__proto__":1}}')).field).toBe('filters.__proto__')
    expect(refusal(json('{"more":[{},{"__proto__":1}]}')).field).toBe('more.1.__proto__')
  })

  it('is refused with the field whose text no database can store', () => {
    for (const text of ['\0', 'a\0b', '\ud800', '\udc00x'])
      expect(refusal({ url: text })).toEqual({
        code: 'invalid_body',
        message: 'url: must not contain NUL or unpaired surrogates',
        field: 'url',
      })
    expect(refusal({ url: 'a', more: [{ x: '\0' }] }).field).toBe('more.x')
    expect(refusal({ url: 'a', filters: { '\0': {} } }).field).toBe('filters')
  })

  it('may have any text where it is only looked at', () => {
    expect(readBody(schema, { url: 'a\0b', more: '\ud800' }, 'a webhook', true)).toEqual({
      url: 'a\0b',
      more: '\ud800',
    })
    expect(() => readBody(schema, json('{"__proto__":1}'), 'a webhook', true)).toThrow('__proto__: is not a field')
  })

  it('is refused when it is nested more than 16 deep', () => {
    expect(read({ url: 'a', more: nested(15) }).url).toBe('a')
    expect(read({ url: 'a', more: [nested(15)] }).url).toBe('a')
    expect(refusal({ url: 'a', more: nested(17) })).toEqual({
      code: 'invalid_body',
      message: 'The body is nested too deep.',
      field: undefined,
    })
  })
})
