import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '../../src/lib/ports.ts'
import { makeCertificate } from '../deliveries/servers.ts'
import type { Order, Post } from './receiver.ts'
import type { Kind, Tenants } from './tenants.ts'

/** The receivers' process, its certificate, and where each path is reached. */
export async function startReceivers(folder: string) {
  const { key, cert } = makeCertificate(folder)
  const child = fork(join(import.meta.dirname, 'receiver.ts'), [key, cert], { execArgv: ['--import', 'tsx'] })
  const [port] = (await once(child, 'message')) as [number]
  const nobody = await freePort()
  const send = (order: Order) => void child.send(order)
  return {
    cert,
    pid: child.pid!,
    urlOf: (path: string, kind: Kind) => `https://127.0.0.1:${kind === 'refuses' ? nobody : port}${path}`,
    know: ({ webhooks }: Tenants) => send({ secrets: [...webhooks].map(([path, { secret }]) => [path, secret]) }),
    async posts(): Promise<Post[]> {
      send('posts')
      const [posts] = (await once(child, 'message')) as [Post[]]
      return posts
    },
    forget: () => send('forget'),
    stop: () => child.disconnect(),
  }
}
export type Receivers = Awaited<ReturnType<typeof startReceivers>>
