import { Command } from 'commander'
import { OperatorError } from '../../lib/errors.ts'
import { stopRequested } from '../running/stop.ts'
import { startVerifyingReceiver } from './receiver.ts'

type Options = { port: string; host: string; secret: string[]; json?: boolean }

export const receiverCommand = (): Command =>
  new Command('receiver')
    .description('a local endpoint that verifies and prints what it receives')
    .requiredOption('--port <port>', 'where it listens; 0 takes a free one')
    .requiredOption('--secret <secrets...>', 'the webhook’s secret; during a rotation both')
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--json', 'one JSON object per line')
    .action(async (options: Options) => {
      const port = Number(options.port)
      if (!Number.isInteger(port) || port < 0 || port > 65_535)
        throw new OperatorError(`--port ${options.port} is not a port.`)
      const stop = stopRequested(() => {})
      const { host, secret, json } = options
      const receiver = await startVerifyingReceiver({ port, host, secrets: secret, json })
      process.stderr.write(`Listening on ${receiver.url}. Ctrl-C stops it.\n`)
      await stop
      await receiver.close()
    })
