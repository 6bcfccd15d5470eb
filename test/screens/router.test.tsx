import './light-dom.ts'
import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { fireEvent, waitFor } from '@testing-library/dom'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { accountQuery, visitorQuery } from '../../src/web/api/account.ts'
import { createQueryClient } from '../../src/web/api/connection/query-client.ts'
import { documentsQuery } from '../../src/web/api/documents.ts'
import { overviewQuery } from '../../src/web/api/feed.ts'
import { keysQuery } from '../../src/web/api/workspace.ts'
import { createAppRouter } from '../../src/web/router.tsx'
import { theme } from '../../src/web/theme.ts'
import { knownScreens, overview, session, visit, withoutLog } from './known/known.ts'
import { type Knowledge, openScreen, rendered, type Screen, show } from './screen.tsx'

const { openKnown } = knownScreens()
afterEach(() => {
  location.hash = ''
})

/** Opens a page whose requests have these answers, also when those change; others stay without one. */
function answered(opening: Promise<Screen>, answers: Record<string, () => Response>): Promise<Screen> {
  globalThis.fetch = ((path: string) => {
    const answer = Object.entries(answers).find(([start]) => path.startsWith(start))
    return answer ? Promise.resolve(answer[1]()) : new Promise(() => {})
  }) as typeof fetch
  return opening
}
/** Shows a page whose requests are never answered. */
function showApp(queryClient: QueryClient, path: string) {
  globalThis.fetch = () => new Promise(() => {})
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
  show(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return router
}
const refusal = () => Response.json({ error: { code: 'forbidden', message: 'Not now.' } }, { status: 403 })
const alert = () => document.querySelector('[role="alert"]')

it('leads from the page for signing in to the page that was asked for, also to a place on it', async () => {
  const addressOf = async (path: string) => {
    const known: Knowledge = (queryClient) => queryClient.setQueryData(overviewQuery.queryKey, overview())
    const screen = await answered(openScreen({ known }, path), {
      '/v1/session': () => Response.json({ ...visit, session }),
    })
    const address = screen.address()
    screen.close()
    return address.replace('?workspace=w1', '')
  }
  expect(await addressOf('/sign-in?next=/workspaces')).toBe('/workspaces')
  expect(await addressOf('/sign-in?next=/workspaces#place')).toBe('/workspaces#place')
})

it('leads from a page that visitors may read to the sign-in, and back', async () => {
  const known: Knowledge = (queryClient) =>
    queryClient.setQueryData(documentsQuery(undefined).queryKey, { documents: [] })
  const answers = { '/v1/session': () => Response.json({ ...visit, session: null }) }
  const screen = await answered(openScreen({ known }, '/documents?q=terms'), answers)
  expect(screen.frame()).toContain('Sign in </sign-in?next=%2Fdocuments%3Fq%3Dterms>')
  screen.close()
})

it('asks visitors to sign in, and says whatever else keeps a page from opening until it is asked again', async () => {
  withoutLog()
  const known: Knowledge = (queryClient) => {
    queryClient.setQueryData(overviewQuery.queryKey, overview())
    queryClient.setQueryData(keysQuery('w1').queryKey, { keys: [], most: 20 })
  }
  const answers = { '/v1/session': () => Response.json({ ...visit, session: null }) }
  const visitor = await answered(openScreen({ known }, '/keys?workspace=w1'), answers)
  expect(visitor.address()).toBe('/sign-in?next=%2Fkeys%3Fworkspace%3Dw1')
  visitor.close()
  answers['/v1/session'] = refusal
  const opening = answered(openScreen({ known }, '/keys?workspace=w1'), answers)
  await waitFor(() => expect(alert()?.textContent).toContain('Not now.'))
  answers['/v1/session'] = () => Response.json({ ...visit, session })
  fireEvent.click(alert()!.querySelector('button')!)
  const screen = await opening
  expect(screen.address()).toBe('/keys?workspace=w1')
  expect(screen.text()).toContain('[Create a key]')
  screen.close()
})

it('reads what a page cannot do without again where someone tries again', async () => {
  withoutLog()
  const answers = { '/v1/session': () => Response.json({ ...visit, session }), '/v1/keys': refusal }
  const screen = await answered(openKnown('/keys?workspace=w1'), answers)
  expect(screen.text()).toContain('Not now.')
  answers['/v1/keys'] = () => Response.json({ keys: [], most: 20 })
  await screen.press('Try again')
  expect(screen.text()).toContain('[Create a key]')
  screen.close()
})

it('has the focus on the heading of a page that someone comes to, also where it is only a notice', async () => {
  const screen = await openKnown('/workspaces')
  for (const [path, title] of [
    ['/keys', 'API keys'],
    ['/verify-email', 'Confirm your e-mail address'],
  ] as const) {
    await screen.go(path, (queryClient) => queryClient.setQueryData(keysQuery('w1').queryKey, { keys: [], most: 20 }))
    expect([screen.focused(), document.title]).toEqual([title, `${title} · Pricetape`])
  }
  screen.close()
})

it.each([
  ...['/', '/prices', '/prices/acme/gpt', '/compare/g1', '/evidence/1', '/documents', '/documents/acme/terms', '/docs'],
  ...['/keys', '/members', '/webhooks', '/webhooks/new', '/webhooks/h1', '/webhooks/h1/verify', '/account/watches'],
  ...['/webhooks/h1/deliveries/d1', '/operator/review', '/operator/sources', '/operator/users'],
  ...['/operator/prices?provider=acme&resource=gpt', '/operator/aliases', '/operator/providers', '/operator/accuracy'],
  ...['/operator/workspaces', '/operator/audit'],
])('says that %s is loading, until it is answered', async (path) => {
  const queryClient = createQueryClient()
  queryClient.setQueryData(accountQuery.queryKey, session)
  queryClient.setQueryData(visitorQuery.queryKey, { ...visit, session })
  showApp(queryClient, path)
  await waitFor(() => expect(document.querySelector('[role="status"][aria-label="Loading"]')).not.toBeNull())
})

it('shows a page that someone comes back to where it was left, and another from its top', async () => {
  const queryClient = createQueryClient()
  queryClient.setQueryData(visitorQuery.queryKey, { ...visit, session: null })
  queryClient.setQueryData(documentsQuery(undefined).queryKey, { documents: [] })
  const { scrollTo, scrollY } = globalThis
  const tops: unknown[] = []
  // This DOM has no height.
  globalThis.scrollTo = ((to: ScrollToOptions) => void tops.push(to.top)) as typeof scrollTo
  onTestFinished(() => void Object.assign(globalThis, { scrollTo, scrollY }))
  const router = showApp(queryClient, '/documents')
  const comesTo = async (title: string) => {
    await waitFor(() => expect(document.querySelector('main h1')?.textContent).toBe(title))
    await rendered()
    return tops.splice(0).at(-1)
  }
  await comesTo('Documents')
  Object.assign(globalThis, { scrollY: 500 })
  document.dispatchEvent(new Event('scroll'))
  router.history.push('/compare')
  expect(await comesTo('Compare')).toBe(0)
  router.history.back()
  expect(await comesTo('Documents')).toBe(500)
})
