import { expect, it } from 'vitest'
import { curlOf } from '../../src/web/pages/delivery/curl.ts'
import { curlCommand } from '../../src/web/pages/reference/curl.ts'

const URL = 'https://prices.example.com/v1/providers?x=it%27s'

it('A request that was tried with a session becomes a command with the key of the environment', () => {
  expect(curlCommand({ url: URL, method: 'GET', headers: { accept: 'application/json' } }, true)).toBe(
    `curl 'https://prices.example.com/v1/providers?x=it%27s' \\\n  -H "Authorization: Bearer $PRICETAPE_API_KEY" \\\n  -H 'accept: application/json'`,
  )
})

it('A key that was pasted is in the command, once, and nothing in it is run by a shell', () => {
  const headers = { Authorization: "Bearer ptk_'$(touch x)" }
  expect(curlCommand({ url: URL, method: 'GET', headers }, true)).toBe(
    `curl 'https://prices.example.com/v1/providers?x=it%27s' \\\n  -H 'Authorization: Bearer ptk_'\\''$(touch x)'`,
  )
})

it('A body is sent as it was, and an endpoint for everyone needs no key', () => {
  expect(curlCommand({ url: 'https://p.example/v1/log/proofs', method: 'post', body: '{"a":"it\'s"}' }, false)).toBe(
    `curl -X POST 'https://p.example/v1/log/proofs' \\\n  -d '{"a":"it'\\''s"}'`,
  )
})

it('a delivery becomes a command that sends the same bytes, whatever is in them', () => {
  const sent = {
    url: "https://hooks.example.com/it's",
    headers: { 'webhook-id': "evt_'1" },
    body: `{"title":"Provider's $(terms)"}`,
  }
  expect(curlOf(sent)).toBe(
    `curl -i 'https://hooks.example.com/it'\\''s' \\\n  -H 'webhook-id: evt_'\\''1' \\\n  --data-binary '{"title":"Provider'\\''s $(terms)"}'`,
  )
})
