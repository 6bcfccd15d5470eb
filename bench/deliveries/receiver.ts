/** A receiver in its own process: answers 200 at once on one port, and never on the other. Prints its ports. */
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
const dead = createServer({ key, cert }, (request) => request.resume())
const listening = [well, dead].map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
await Promise.all(listening)
const [wellPort, deadPort] = [well, dead].map((server) => (server.address() as AddressInfo).port)
process.send?.({ wellPort, deadPort })
process.on('message', () => process.send?.({ received, connections }))
process.on('disconnect', () => process.exit())
