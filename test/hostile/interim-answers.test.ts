import { afterEach, describe, expect, test } from 'vitest'
import { answering, client, closeAll, HOST, hook, hostile, OK } from './support.ts'

const URL = `https://${HOST}/hook`
afterEach(closeAll)

async function outcomeOf(server: { port: number }) {
  const safe = await client(server.port)
  return safe.post(URL, hook)
}

describe('an interim answer that no one asked for is passed over (RFC 9110, 15.2)', () => {
  test.each([
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['102 Processing', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n'],
    ['an unknown 1xx', 'HTTP/1.1 199 Whatever\r\n\r\n'],
    ['several of them', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
  ])('%s before a 200', async (_title, interim) => {
    const outcome = await outcomeOf(await answering(`${interim}${OK}`))
    expect(outcome).toMatchObject({ kind: 'answer', status: 200, response: 'ok' })
  })

  test('the final answer decides, not the interim one', async () => {
    const failure = 'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 5\r\n\r\nsorry'
    const outcome = await outcomeOf(await answering(`HTTP/1.1 100 Continue\r\n\r\n${failure}`))
    expect(outcome).toMatchObject({ kind: 'answer', status: 500, response: 'sorry' })
  })

  test('a 100 Continue and nothing more is not an answer', async () => {
    const outcome = await outcomeOf(await answering('HTTP/1.1 100 Continue\r\n\r\n'))
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connection_closed' })
    expect(outcome).not.toHaveProperty('status')
  })

  test('the connection is used again after it', async () => {
    const keep = OK.replace('connection: close\r\n', '')
    const text = `HTTP/1.1 100 Continue\r\n\r\n${keep}`
    const server = await hostile((socket) => socket.on('data', () => socket.write(text)))
    const safe = await client(server.port)
    for (let i = 0; i < 3; i++) expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer', status: 200 })
    expect(server.connections).toBe(1)
  })
})
