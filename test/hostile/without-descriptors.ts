/** Sends a delivery while this process has no free file descriptor, and one after it has some again. */
import { closeSync, openSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'

const server = createServer((_request, response) => response.end('ok'))
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
const client = createSafeFetch({ allowPrivate: true })
const hook = { headers: {}, body: '{}' }

const taken: number[] = []
try {
  for (;;) taken.push(openSync('/dev/null', 'r'))
} catch {
  // Every descriptor is taken now.
}
const without = await client.post(url, hook)
for (const descriptor of taken) closeSync(descriptor)
const after = await client.post(url, hook)
process.stdout.write(JSON.stringify({ without, after }))
process.exit()
