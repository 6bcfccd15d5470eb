/** A receiver in its own process: answers 200 at once or after 0.9 s, 500 at once, or never, on a port of each. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

const [key, cert] = process.argv.slice(2).map((path) => readFileSync(path))
let received = 0
let connections = 0
const well = createServer({ key, cert, keepAlive: true }, (request, response) => {
  request.resume().on('end', () => {
    received++
    response.end('ok')
  })
})
well.on('secureConnection', () => connections++)
const LATE_MS = 900
const late = createServer({ key, cert, keepAlive: true }, (request, response) => {
  request.resume().on('end', () => setTimeout(() => response.end('ok'), LATE_MS))
})
const failing = createServer({ key, cert, keepAlive: true }, (request, response) => {
  request.resume().on('end', () => response.writeHead(500).end())
})
const dead = createServer({ key, cert }, (request) => request.resume())
const listening = [well, late, failing, dead].map(
  (server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)),
)
await Promise.all(listening)
const [wellPort, latePort, failingPort, deadPort] = [well, late, failing, dead].map(
  (server) => (server.address() as AddressInfo).port,
)
process.send?.({ wellPort, latePort, failingPort, deadPort })
process.on('message', () => process.send?.({ received, connections }))
process.on('disconnect', () => process.exit())
