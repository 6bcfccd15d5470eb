import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { rememberPaths } from '../../src/api/known-paths.ts'
import type { Api } from '../../src/api/route.ts'

describe('the methods of a path', () => {
  const api = fastify() as unknown as Api
  const allowed = rememberPaths(api)
  api.get('/prices/:provider/*', async () => 'a resource, whose name may have slashes')
  api.get('/log/*', async () => 'a file')
  api.delete('/keys/:keyId', async () => 'one')

  it('are those of its route, with parameters and with a rest of any length', () => {
    expect(['/prices/aws/a', '/prices/aws/a/b:c', '/log/tile/0/000'].map(allowed)).toEqual(
      Array.from({ length: 3 }, () => 'GET, HEAD'),
    )
    expect(allowed('/keys/k')).toBe('DELETE')
  })

  it('are not known of other paths', () => {
    for (const path of [
      '/',
      '/prices',
      '/prices/aws',
      '/prices//a',
      '/log',
      '/logs/x',
      '/keys/',
      '/keys/k/x',
      '/x/keys/k',
    ])
      expect([path, allowed(path)]).toEqual([path, undefined])
  })
})
