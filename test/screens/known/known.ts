import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { diffArrays } from 'diff'
import { afterEach, onTestFinished, vi } from 'vitest'
import type { Api } from '../../../src/api/route.ts'
import { DAY, HOUR, type Instant, instantOf } from '../../../src/lib/instant.ts'
import { accountQuery, type readSession, visitorQuery } from '../../../src/web/api/account.ts'
import { type Overview, overviewQuery } from '../../../src/web/api/feed.ts'
import { steady } from '../check-screen.ts'
import { type Knowledge, openScreen, type Screen, useScreens } from '../screen.tsx'

export const hoursAgo = (hours: number): Instant => instantOf(Date.now() - hours * HOUR)
export const daysAgo = (days: number): Instant => hoursAgo((days * DAY) / HOUR)

/** A day as it is written; a golden has its distance from today. */
export const dayIn = (days: number): string => daysAgo(-days).slice(0, 10)

type Visit = Awaited<ReturnType<typeof readSession>>
type Session = NonNullable<Visit['session']>

/** An operator who is admin of one workspace and member of another. */
export const session: Session = {
  account: {
    ...{ accountId: 'a1', name: 'Olga', email: 'olga@example.com', operator: true },
    ...{ emailVerifiedAt: '2026-01-01T00:00:00Z', createdAt: '2026-01-01T00:00:00Z' },
  },
  sessionId: 's1',
  workspaces: [
    { workspaceId: 'w1', name: 'First workspace', role: 'admin', createdAt: '' },
    { workspaceId: 'w2', name: 'Second', role: 'member', createdAt: '' },
  ],
}
export const visit: Omit<Visit, 'session'> = {
  ...{ publicPages: true, signUp: 'open', hasAccounts: true, provider: null, passkeyHost: null },
}
export const provider = (slug: string, freshness: 'fresh' | 'stale' | 'unknown' = 'fresh') => ({
  ...{ provider: slug, name: slug.toUpperCase(), freshness },
  lastCheckedAt: freshness === 'unknown' ? null : hoursAgo(3),
})
export const overview = (): Overview => ({
  ...{ newest: hoursAgo(1), first: daysAgo(400), providers: ['acme', 'other'].map((one) => provider(one)) },
})

/** What the service answers to a request without its query (`GET /v1/webhooks`): one after the other, the last again and again. */
export type Answers = { [request: string]: { status?: number; body?: object }[] }
/** An answer that says what is wrong. */
export const refused = (status: number, code: string, message: string) => ({
  status,
  body: { error: { code, message } },
})

/** Pages that know what the service would answer: for states that take days or many sources to come about. Call at the top of a file. */
export function knownScreens() {
  useScreens()
  /** The app that one page after the other is opened in: what surrounds them is drawn once. */
  let app: Screen | undefined
  let stays = false
  afterEach(() => {
    app = undefined
    stays = false
  })
  const knowing =
    (more: Knowledge, who: Session): Knowledge =>
    (queryClient) => {
      const workspaces = who.workspaces.map((one) => ({ ...one, createdAt: daysAgo(4) }))
      queryClient.setQueryData(accountQuery.queryKey, { ...who, workspaces })
      queryClient.setQueryData(visitorQuery.queryKey, { ...visit, session: { ...who, workspaces } })
      queryClient.setQueryData(overviewQuery.queryKey, overview())
      more(queryClient)
    }
  /** Opens a page. What it asks beyond what it knows stays unanswered. */
  async function openKnown(path: string, more: Knowledge = () => {}, who = session): Promise<Screen> {
    const known = knowing(more, who)
    if (!app) {
      const screen = await openScreen({ known }, path)
      if (stays) app = screen
      return screen
    }
    // Nothing that a page keeps is there on the next one.
    await app.go(OF_READERS.test(path) ? '/compare' : '/workspaces', () => {})
    await app.go(path, known)
    return app
  }
  /** Opens a page whose requests are answered so; any other is refused. */
  async function openAnswered(path: string, answers: Answers, more: Knowledge = () => {}) {
    const inject = async ({ method, url }: { method: string; url: string }) => {
      const [next, ...others] = answers[`${method} ${url.split('?')[0]}`] ?? []
      if (others.length > 0) answers[`${method} ${url.split('?')[0]}`] = others
      const { status = 200, body = {} } = next ?? refused(400, 'unknown', 'No answer.')
      return { statusCode: status, body: JSON.stringify(body), headers: {}, cookies: [] }
    }
    let queryClient!: QueryClient
    const known = knowing((client) => {
      queryClient = client
      more(client)
    }, session)
    const screen = await openScreen({ server: { inject } as unknown as Api, known }, path)
    return { ...screen, queryClient }
  }
  /** Opens pages one after the other. Returns what each shows, or how it differs from the first where that is shorter. */
  async function shownOf(pages: Record<string, () => Promise<Screen>>): Promise<string[]> {
    stays = true
    const parts: string[] = []
    let first: string[] | undefined
    for (const [name, open] of Object.entries(pages)) {
      const lines = steady((await open()).text()).split('\n')
      const changed = first && difference(first, lines)
      parts.push([`== ${name}`, ...(changed && changed.length < lines.length ? changed : lines)].join('\n'))
      first ??= lines
    }
    app?.close()
    app = undefined
    stays = false
    return parts
  }
  return { openKnown, openAnswered, shownOf }
}

/** Pages that are for visitors too are surrounded by something else. */
const OF_READERS = /^\/(\?|$|prices|documents|evidence|compare)/

/** What a query could not read is shown as it is: no answer is waited for. */
export function failed(queryClient: QueryClient, queryKey: QueryKey, error: Error): void {
  queryClient
    .getQueryCache()
    .build(queryClient, { queryKey })
    .setState({ status: 'error', error, data: undefined, fetchStatus: 'idle' })
  queryClient.setQueryDefaults(queryKey, { retryOnMount: false, staleTime: Number.POSITIVE_INFINITY })
}

/** Returns the lines that were removed and added, in their order; `…` stands for what is as before. */
const difference = (before: string[], after: string[]): string[] =>
  diffArrays(before, after).flatMap(({ added, removed, value }) =>
    added || removed ? value.map((line) => `${removed ? '-' : '+'} ${line}`) : ['…'],
  )

/** Says nothing of what React and the router write down, which they pass on to the page. */
export function withoutLog(): void {
  for (const name of ['error', 'warn'] as const) {
    const log = vi.spyOn(console, name).mockReturnValue()
    onTestFinished(() => log.mockRestore())
  }
}
