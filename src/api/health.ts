import { databaseNow } from '../catalog/clock-store.ts'
import { AppError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import type { Api } from './route.ts'

/** The database has this long to answer a readiness check. */
const READY_WITHIN_MS = 2_000

/** /healthz: this process answers. /readyz: it can serve, so a load balancer may send it requests. */
export function healthRoutes(api: Api, sql: Sql): void {
  const hidden = { schema: { hide: true } }
  api.get('/healthz', hidden, async () => ({ status: 'ok' }))
  api.get('/readyz', hidden, async () => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the database does not answer')), READY_WITHIN_MS)
    })
    try {
      await Promise.race([databaseNow(sql), late])
    } catch (cause) {
      throw new AppError('unavailable', 'The database does not answer.', { retryAfter: 5, cause })
    } finally {
      clearTimeout(timer)
    }
    return { status: 'ready' }
  })
}
