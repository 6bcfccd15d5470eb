import { describe, expect, it } from 'vitest'
import { CONNECTION_LIMITS, longestWaiting, PROXY_KEEP_ALIVE_MS } from '../../src/api/serving/connection-rules.ts'
import { codingOf, encode } from '../../src/api/serving/content-coding.ts'
import { contentName, etagOf, isKnown } from '../../src/api/serving/etag-rules.ts'
import { csvRow } from '../../src/lib/text/csv-rules.ts'

describe('the connections of the API', () => {
  it('have these limits', () => {
    expect(CONNECTION_LIMITS).toEqual({
      connections: 2_000,
      perAddress: 200,
      pipelined: 8,
      headersMs: 10_000,
      requestMs: 20_000,
      keepAliveMs: 15_000,
      stalledMs: 15_000,
      answerMs: 120_000,
      closeMs: 10_000,
    })
    expect(PROXY_KEEP_ALIVE_MS).toBe(75_000)
  })

  it('give way in the order in which they began to wait, and not while they are worked for', () => {
    const at = (since: number, working = false) => ({ since, working })
    expect(longestWaiting([at(5), at(3), at(1, true), at(3), at(4)])).toEqual(at(3))
    const [first, second] = [at(3), at(3)]
    expect(longestWaiting([first, second])).toBe(first)
    expect(longestWaiting([at(1, true)])).toBeUndefined()
  })
})

describe('a line of CSV', () => {
  it('has quotes where RFC 4180 wants them, and names as they are', () => {
    expect(csvRow(['@cf/meta/llama', 'a,b', 'say "hi"', 'a\nb', 'a\rb', ''])).toBe(
      '@cf/meta/llama,"a,b","say ""hi""","a\nb","a\rb",\r\n',
    )
  })

  it('leaves absent fields empty, and writes other values as JSON', () => {
    expect(csvRow([undefined, 1, true, null, { a: 'b' }])).toBe(',1,true,null,"{""a"":""b""}"\r\n')
  })
})

describe('the coding of an answer', () => {
  it('is what the client prefers, and of equals the smallest that Node has', () => {
    const of = (accept?: string) => codingOf({ 'accept-encoding': accept })
    expect([of(), of(''), of('gzip'), of('gzip, br'), of('br;q=0.1, gzip'), of('deflate')]).toEqual([
      ...['identity', 'identity', 'gzip', 'br', 'gzip', 'identity'],
    ])
  })

  it('is used from 1,024 bytes on', async () => {
    for (const coding of ['gzip', 'br'] as const) {
      expect(await encode(coding, Buffer.alloc(1_023))).toBeUndefined()
      expect((await encode(coding, Buffer.alloc(1_024)))!.length).toBeLessThan(100)
    }
    expect(await encode('identity', Buffer.alloc(5_000))).toBeUndefined()
  })
})

describe('an ETag', () => {
  it('names a content, whatever the order of its keys, and its coding', () => {
    expect(contentName({ a: 1, b: 2 })).toBe(contentName({ b: 2, a: 1 }))
    expect(contentName(Buffer.from('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223')
    expect([etagOf('abc', 'identity'), etagOf('abc', 'gzip')]).toEqual(['"abc"', '"abc-gzip"'])
  })

  it('is known to a client that sends it, also as a weak one or among others, or that sends *', () => {
    for (const known of ['"a"', 'W/"a"', '"b", "a"', '"b",W/"a" ', '*']) expect(isKnown(known, '"a"')).toBe(true)
    for (const other of [undefined, '', '"b"', '"aW/"', 'a']) expect(isKnown(other, '"a"')).toBe(false)
    expect(isKnown(undefined, '')).toBe(true)
  })
})
