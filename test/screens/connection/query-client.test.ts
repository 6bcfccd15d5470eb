import { MutationObserver, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { accountQuery, signOut } from '../../../src/web/api/account.ts'
import { ApiError, ConnectionError } from '../../../src/web/api/connection/client.ts'
import { connection } from '../../../src/web/api/connection/connection.ts'
import { createQueryClient } from '../../../src/web/api/connection/query-client.ts'
import { unsent } from '../../../src/web/api/connection/unsent.ts'
import { answering } from '../../web/requests/sent.ts'

const refusal = (status: number, code: string, retryAfter?: number) =>
  new ApiError(status, { code, message: 'No.' } as never, retryAfter)
const limited = (retryAfter?: number) => refusal(429, 'rate_limited', retryAfter)

describe('what could not be read', () => {
  const { retry, retryDelay } = createQueryClient().getDefaultOptions().queries as {
    retry: (count: number, error: Error) => boolean
    retryDelay: (count: number, error: Error) => number
  }
  it.each([
    ['an internal error', refusal(500, 'internal')],
    ['no connection', new ConnectionError({ cause: undefined })],
    ['too many requests', limited()],
  ])('is asked for twice more after %s', (_name, error) => {
    expect([0, 1, 2].map((count) => retry(count, error))).toEqual([true, true, false])
  })
  it.each([refusal(404, 'not_found'), refusal(499, 'invalid_request'), refusal(401, 'unauthorized')])(
    'is not asked for again after a refusal: %s',
    (error) => {
      expect(retry(0, error)).toBe(false)
    },
  )
  it('is asked for after one second, then two, then longer, at most ten, or as the service says', () => {
    expect([0, 1, 2, 3, 4, 9].map((count) => retryDelay(count, new Error()))).toEqual([
      1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ])
    expect(retryDelay(0, limited(3))).toBe(3_000)
    expect(retryDelay(0, limited(60))).toBe(10_000)
    expect(retryDelay(0, limited())).toBe(1_000)
    expect(retryDelay(0, refusal(500, 'internal', 3))).toBe(1_000)
  })
  it.each([
    [refusal(403, 'forbidden'), true],
    [refusal(404, 'not_found'), true],
    [refusal(400, 'invalid_request'), false],
    [new Error('not_found'), false],
  ])('has what one may do read again where access was lost: %s', async (error, isRead) => {
    const queryClient = createQueryClient()
    queryClient.setQueryData(accountQuery.queryKey, {} as never)
    await queryClient
      .fetchQuery({ queryKey: ['x'], queryFn: () => Promise.reject(error), retry: false })
      .catch(() => {})
    expect(queryClient.getQueryState(accountQuery.queryKey)?.isInvalidated).toBe(isRead)
    queryClient.clear()
  })
})

it('names the account whose pages are shown in its requests, as long as there is one', async () => {
  const queryClient = createQueryClient()
  const accounts: unknown[] = []
  for (const account of [undefined, { accountId: 'a1' }, { accountId: 'a2' }]) {
    if (account) queryClient.setQueryData(accountQuery.queryKey, { account } as never)
    const sent = answering()
    await signOut()
    accounts.push((sent[0]!.init.headers as Record<string, string>)['pricetape-account'])
  }
  expect(accounts).toEqual([undefined, 'a1', 'a2'])
  queryClient.clear()
})

it('says that the service cannot be reached, to visitors too', async () => {
  onTestFinished(connection.works)
  const queryFn = () => Promise.reject(new ConnectionError({ cause: undefined }))
  expect(connection.isLost()).toBe(false)
  await createQueryClient()
    .fetchQuery({ queryKey: ['x'], queryFn, retry: false })
    .catch(() => {})
  expect(connection.isLost()).toBe(true)
})

describe('what is known', () => {
  /** Makes a change that ends so. Returns what was read of the page that is open and of one that was, and when. */
  async function outcomeOf(error?: Error) {
    const queryClient = createQueryClient()
    const events: string[] = []
    const query = (queryKey: string[]) => ({ queryKey, queryFn: async () => events.push(`reads ${queryKey}`) })
    await queryClient.prefetchQuery(query(['another page']))
    const close = new QueryObserver(queryClient, query(['this page'])).subscribe(() => {})
    await vi.waitFor(() => expect(events.length).toBe(2))
    events.length = 0
    const onSuccess = () => void events.push('goes on')
    const change = async () => {
      if (error) throw error
    }
    const { mutate } = new MutationObserver(queryClient, { mutationFn: change, onSuccess })
    await mutate().catch(() => {})
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))
    const isStale = queryClient.getQueryState(['another page'])?.isInvalidated
    close()
    queryClient.clear()
    return { events, isStale }
  }
  it('is read again once a change went on: at once what is shown, the rest when it is shown', async () => {
    expect(await outcomeOf()).toEqual({ events: ['goes on', 'reads this page'], isStale: true })
  })
  it.each([
    refusal(403, 'forbidden'),
    refusal(404, 'not_found'),
    refusal(409, 'alias_changed'),
    refusal(500, 'internal'),
    new ConnectionError({ cause: undefined }),
  ])('is read again where it may be out of date: %s', async (error) => {
    expect(await outcomeOf(error)).toEqual({ events: ['reads this page'], isStale: true })
  })
  it.each([
    refusal(400, 'invalid_body'),
    refusal(401, 'unauthorized'),
    refusal(422, 'unprocessable'),
    limited(),
    new Error('The device refused.'),
  ])('stays as it is where the request was not the one to carry out: %s', async (error) => {
    expect(await outcomeOf(error)).toEqual({ events: [], isStale: false })
  })
})

describe('decisions that are kept', () => {
  const keeping = (count: number, refused: number) => {
    const sent: string[] = []
    const release = unsent.keep({
      count: () => count,
      sendAll: async () => refused,
      drop: () => void sent.push('dropped'),
    })
    return { release, sent }
  }
  it.each([
    [0, 0, undefined],
    [1, 0, '1 decision was not sent. Send again on this page, or put back into the queue. Then sign out.'],
    [2, 5, '2 decisions were not sent. Send again on this page, or put back into the queue. Then sign out.'],
    [0, 1, '1 decision was not carried out: this page says why. Then sign out again.'],
    [0, 3, '3 decisions were not carried out: this page says why. Then sign out again.'],
  ])('%i unsent and %i refused: signing out says %s', async (count, refused, said) => {
    const { release, sent } = keeping(count, refused)
    expect(unsent.count()).toBe(count)
    const failure = await unsent.sendAll().then(
      () => undefined,
      (error: Error) => error.message,
    )
    expect(failure).toBe(said)
    unsent.drop()
    expect(sent).toEqual(['dropped'])
    release()
    expect(unsent.count()).toBe(0)
  })
})
