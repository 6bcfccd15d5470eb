import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { DAY, HOUR, type Instant, instantOf } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { publish, seedProviders } from '../../test/support/prices.ts'

const PROVIDER = 'durable'
const PAUSE_MS = 600

type Answer = { status: number; code?: string; text: string; etag: string | null; cursor?: string }
/** What a client keeps of its reads: where it read, what it got, and a cursor to the next page. */
export type KeptReads = { before: Answer & { asOf: Instant }; after: Answer & { asOf: Instant } }

const ago = (ms: number) => instantOf(Date.now() - ms) as Instant
const row = (resource: string) => ({ provider: PROVIDER, resource, price: '0.000001' })

/** Publishes prices two days and a day ago, which the backup will have. */
export async function publishBefore(sql: Sql): Promise<{ key: string; asOf: Instant }> {
  await seedProviders(sql, ago(3 * DAY), [{ provider: PROVIDER }])
  await publish(sql, [row('a'), row('b')], ago(2 * DAY))
  await publish(sql, [row('c')], ago(DAY))
  const { workspaceId } = await createWorkspace(sql, { name: 'Reader' })
  const { key } = await createApiKey(sql, { workspaceId, name: 'reader' })
  return { key, asOf: ago(DAY + 1_000) }
}

/** Publishes a price three hours ago, after the backup was made, and reads it and what was there before. */
export async function publishAfter(sql: Sql, url: string, key: string, earlier: Instant): Promise<KeptReads> {
  await publish(sql, [row('d')], ago(3 * HOUR))
  const later = ago(2 * HOUR)
  const before = { ...(await read(url, key, `asOf=${earlier}&limit=1`)), asOf: earlier }
  const after = { ...(await read(url, key, `asOf=${later}&limit=1`)), asOf: later }
  for (const kept of [before, after]) if (kept.status !== 200) throw new Error(`a read was answered ${kept.text}`)
  return { before, after }
}

/** Sends again what a client may send after the restore. Each answer is its status or its error's code. */
export async function readAgain(
  url: string,
  key: string,
  { before, after }: KeptReads,
): Promise<Record<string, string>> {
  const shown = ({ status, code }: Answer) => code ?? String(status)
  const again = async (kept: KeptReads['before'], query: string) => {
    const answer = await read(url, key, query)
    return answer.status === 200 && rowsOf(answer) === rowsOf(kept) ? 'the same rows' : shown(answer)
  }
  return {
    'instant before the recovery point': await again(before, `asOf=${before.asOf}&limit=1`),
    'its cursor': shown(await read(url, key, `cursor=${before.cursor}&limit=1`)),
    'its ETag': shown(await read(url, key, `asOf=${before.asOf}&limit=1`, before.etag!)),
    'since that instant': shown(await read(url, key, `since=${before.asOf}`)),
    'instant after the recovery point': await again(after, `asOf=${after.asOf}&limit=1`),
    'its cursor, after': shown(await read(url, key, `cursor=${after.cursor}&limit=1`)),
    'its ETag, after': shown(await read(url, key, `asOf=${after.asOf}&limit=1`, after.etag!)),
    'since that instant, after': shown(await read(url, key, `since=${after.asOf}`)),
    'without asOf': shown(await read(url, key, 'limit=1')),
  }
}

/** `nextCursor` names the timeline, so an answer with one is not the same byte for byte. */
const rowsOf = ({ text }: Answer): string => JSON.stringify(JSON.parse(text).prices)

async function read(url: string, key: string, query: string, etag?: string): Promise<Answer> {
  // One key may read twice a second.
  await new Promise((done) => setTimeout(done, PAUSE_MS))
  const scope = query.startsWith('cursor') ? query : `providers=${PROVIDER}&${query}`
  const headers = { authorization: `Bearer ${key}`, ...(etag && { 'if-none-match': etag }) }
  const response = await fetch(`${url}/v1/prices/history?${scope}`, { headers })
  const text = await response.text()
  const body = text ? JSON.parse(text) : {}
  const { headers: sent, status } = response
  return { status, code: body.error?.code, text, etag: sent.get('etag'), cursor: body.nextCursor }
}
