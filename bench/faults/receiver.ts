/** The receiver of the fault test, in a process and, where it may, a network of its own. It is never killed. */
import { startReceiver } from '../../test/support/servers/receiver.ts'

/** How often an endpoint answers 200; else it answers 500. */
const SUCCESS_RATE = 0.7
const LONGEST_ANSWER_MS = 100

export type ReceiverAnswer = { id: string; status: number }

process.on('disconnect', () => process.exit())
const receiver = await startReceiver({
  host: process.argv[2],
  answer: (request) => {
    const status = Math.random() < SUCCESS_RATE ? 200 : 500
    process.send?.({ id: String(request.headers['webhook-id']), status } satisfies ReceiverAnswer)
    receiver.requests.length = 0
    return { status, delayMs: Math.random() * LONGEST_ANSWER_MS }
  },
})
process.send?.(receiver.url)
