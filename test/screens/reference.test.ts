import { expect, it } from 'vitest'
import { curlPart } from '../../src/web/pages/reference/curl-part.ts'

type Element = [name: unknown, attributes: { onClick?: () => void } | null, ...children: unknown[]]
/** What a React would make of it. */
const React = { createElement: (...parts: unknown[]) => parts }

const spec = {
  paths: {
    '/v1/providers': { get: {}, post: { security: [{ key: [] }] } },
    '/v1/log/proofs': { post: { security: [] } },
  },
}
const commandOf = (url: string, method: string): string => {
  const { curl } = curlPart(spec)({ React }).components
  const [, , , shown] = curl({ request: { toJS: () => ({ url, method }) } }) as Element
  return (shown as Element)[2] as string
}

it('Only a request of an endpoint for everyone is shown without a key', () => {
  const key = 'Authorization: Bearer $PRICETAPE_API_KEY'
  expect(commandOf('https://p.example/v1/providers?x=1', 'GET')).toContain(key)
  expect(commandOf('https://p.example/v1/providers', 'POST')).toContain(key)
  expect(commandOf('https://p.example/v1/unknown', 'GET')).toContain(key)
  expect(commandOf('https://p.example/v1/log/proofs', 'POST')).toBe("curl -X POST 'https://p.example/v1/log/proofs'")
})
