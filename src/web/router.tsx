import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { accountQuery, readSession, readVisitor, visitorQuery } from './api/account.ts'
import { ApiError } from './api/connection/client.ts'
import { loadPart } from './api/connection/connection.ts'
import { NarrowLoading, PageLoading } from './components/loading/skeletons.tsx'
import { FrameLoading } from './components/shell/frame.tsx'
import { ReadingShell } from './components/shell/reading-shell.tsx'
import { Shell } from './components/shell/shell.tsx'
import { RouteFailure } from './components/states/route-failure.tsx'
import { readChangesSearch } from './pages/changes/search.ts'
import { readDocumentSearch, readDocumentsSearch } from './pages/documents/search.ts'
import { readCompareSearch, readPricesSearch, readResourceSearch } from './pages/prices/explorer/search.ts'
import { readWebhookSearch } from './pages/webhooks/delivery-search.ts'
import { afterSignIn, ownPath, readSubjectSearch, signInFor, text } from './search.ts'

const part =
  <Part,>(load: () => Promise<Part>) =>
  (): Promise<Part> =>
    loadPart(load)

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: lazyRouteComponent(
    part(() => import('./components/states/not-found.tsx')),
    'NotFound',
  ),
  errorComponent: RouteFailure,
})

const publicPage = <const Path extends string>(
  path: Path,
  load: () => Promise<Record<string, unknown>>,
  name: string,
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    pendingComponent: NarrowLoading,
    component: lazyRouteComponent(part(load) as never, name as never),
  })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { next?: string } => ({ next: ownPath(search.next) }),
  // Signed-in users go on. What was read before may be of someone who has just signed out.
  beforeLoad: async ({ context, search, location }) => {
    const read = await readSession().catch(() => undefined)
    context.queryClient.setQueryData(visitorQuery.queryKey, read)
    if (read?.session)
      throw redirect({ href: afterSignIn(search.next, location.hash && `#${location.hash}`), replace: true })
  },
  pendingComponent: NarrowLoading,
  component: lazyRouteComponent(
    part(() => import('./pages/sign-in/sign-in-page.tsx')),
    'SignIn',
  ),
})
const publicPages = [
  publicPage('/sign-in/callback', () => import('./pages/sign-in/callback.tsx'), 'ProviderCallback'),
  publicPage('/sign-up', () => import('./pages/sign-up/sign-up.tsx'), 'SignUp'),
  publicPage('/first-account', () => import('./pages/sign-up/first-account.tsx'), 'FirstAccount'),
  publicPage('/verify-email', () => import('./pages/verify-email/verify-email.tsx'), 'VerifyEmail'),
  publicPage('/forgot-password', () => import('./pages/password/forgot-password.tsx'), 'ForgotPassword'),
  publicPage('/reset-password', () => import('./pages/password/reset-password.tsx'), 'ResetPassword'),
  publicPage('/invitation', () => import('./pages/invitation/invitation.tsx'), 'Invitation'),
]

/** Every link of a tab stays in the workspace of the tab, unless it names another. */
const inOneWorkspace = { middlewares: [retainSearchParams<{ workspace?: string }>(['workspace'])] }

/** Every page below it is for signed-in users, and shows one workspace, which is named in the address. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  validateSearch: (search): { workspace?: string } => ({ workspace: text(search.workspace) }),
  search: inOneWorkspace,
  loader: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(accountQuery)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      throw redirect(signInFor(location))
    }
  },
  pendingComponent: FrameLoading,
  component: Shell,
})
const page = <const Path extends string>(path: Path, load: () => Promise<Record<string, unknown>>, name: string) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    component: lazyRouteComponent(part(load) as never, name as never),
  })

/** Pages for signed-in users, and for anyone where this installation makes them public. */
const reading = createRoute({
  getParentRoute: () => root,
  id: 'reading',
  validateSearch: (search): { workspace?: string } => ({ workspace: text(search.workspace) }),
  search: inOneWorkspace,
  loader: async ({ context, location }) => {
    const { session, publicPages } = await readVisitor(context.queryClient)
    if (!session && !publicPages) throw redirect(signInFor(location))
  },
  pendingComponent: FrameLoading,
  component: ReadingShell,
})
/** Pages for everyone, also where this installation makes none public. */
const open = createRoute({
  getParentRoute: () => root,
  id: 'open',
  validateSearch: (search): { workspace?: string } => ({ workspace: text(search.workspace) }),
  search: inOneWorkspace,
  loader: async ({ context }) => {
    await readVisitor(context.queryClient)
  },
  pendingComponent: FrameLoading,
  component: ReadingShell,
})
const openPages = [
  createRoute({
    getParentRoute: () => open,
    path: '/docs',
    component: lazyRouteComponent(
      part(() => import('./pages/reference/reference.tsx')),
      'Reference',
    ),
  }),
]
const readingPages = [
  createRoute({
    getParentRoute: () => reading,
    path: '/',
    validateSearch: readChangesSearch,
    component: lazyRouteComponent(
      part(() => import('./pages/changes/changes.tsx')),
      'Changes',
    ),
  }),
  createRoute({
    getParentRoute: () => reading,
    path: '/prices',
    validateSearch: readPricesSearch,
    component: lazyRouteComponent(
      part(() => import('./pages/prices/explorer/explorer.tsx')),
      'Explorer',
    ),
  }),
  createRoute({
    getParentRoute: () => reading,
    path: '/prices/$provider/$resource',
    validateSearch: readResourceSearch,
    component: lazyRouteComponent(
      part(() => import('./pages/prices/resource/resource.tsx')),
      'ResourcePage',
    ),
  }),
  createRoute({
    getParentRoute: () => reading,
    path: '/evidence/$contentHash',
    component: lazyRouteComponent(
      part(() => import('./pages/evidence/evidence.tsx')),
      'EvidencePage',
    ),
  }),
  createRoute({
    getParentRoute: () => reading,
    path: '/compare',
    validateSearch: readCompareSearch,
    component: lazyRouteComponent(
      part(() => import('./pages/compare/compare.tsx')),
      'CompareChosen',
    ),
  }),
  createRoute({
    getParentRoute: () => reading,
    path: '/compare/$group',
    validateSearch: readCompareSearch,
    component: lazyRouteComponent(
      part(() => import('./pages/compare/compare.tsx')),
      'CompareGroup',
    ),
  }),
  createRoute({
    getParentRoute: () => reading,
    path: '/documents',
    validateSearch: readDocumentsSearch,
    component: lazyRouteComponent(
      part(() => import('./pages/documents/documents.tsx')),
      'Documents',
    ),
  }),
  createRoute({
    getParentRoute: () => reading,
    path: '/documents/$provider/$document',
    validateSearch: readDocumentSearch,
    component: lazyRouteComponent(
      part(() => import('./pages/documents/document.tsx')),
      'DocumentPage',
    ),
  }),
]

/** The form can be filled in by a link: a page's Watch button. */
const newWebhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks/new',
  validateSearch: readSubjectSearch,
  component: lazyRouteComponent(
    part(() => import('./pages/webhooks/new-webhook.tsx')),
    'NewWebhook',
  ),
})
/** A page's Watch button says what is watched. */
const watch = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/watch',
  validateSearch: readSubjectSearch,
  component: lazyRouteComponent(
    part(() => import('./pages/watches/pages.ts')),
    'WatchPage',
  ),
})
const webhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks/$webhookId',
  validateSearch: readWebhookSearch,
  component: lazyRouteComponent(
    part(() => import('./pages/webhooks/webhook.tsx')),
    'WebhookPage',
  ),
})
const pages = [
  newWebhook,
  watch,
  webhook,
  page('/webhooks', () => import('./pages/webhooks/webhooks.tsx'), 'Webhooks'),
  page('/webhooks/$webhookId/deliveries/$deliveryId', () => import('./pages/delivery/delivery.tsx'), 'DeliveryPage'),
  page('/webhooks/$webhookId/verify', () => import('./pages/verify/verify.tsx'), 'VerifyPage'),
  page('/keys', () => import('./pages/keys/keys.tsx'), 'Keys'),
  page('/members', () => import('./pages/members/members.tsx'), 'Members'),
  page('/workspaces', () => import('./pages/workspaces/workspaces.tsx'), 'Workspaces'),
  page('/account/watches', () => import('./pages/watches/pages.ts'), 'Watches'),
  page('/account', () => import('./pages/account/account.tsx'), 'AccountPage'),
  page('/operator/review', () => import('./pages/operator/review/review.tsx'), 'Review'),
  page('/operator/prices', () => import('./pages/operator/prices/prices.tsx'), 'Prices'),
  page('/operator/sources', () => import('./pages/operator/sources/sources.tsx'), 'Sources'),
  page('/operator/aliases', () => import('./pages/operator/aliases/aliases.tsx'), 'Aliases'),
  page('/operator/providers', () => import('./pages/operator/providers.tsx'), 'Providers'),
  page('/operator/accuracy', () => import('./pages/operator/accuracy/accuracy.tsx'), 'Accuracy'),
  page('/operator/workspaces', () => import('./pages/operator/workspaces.tsx'), 'OperatorWorkspaces'),
  page('/operator/users', () => import('./pages/operator/users.tsx'), 'Users'),
  page('/operator/audit', () => import('./pages/operator/audit.tsx'), 'Audit'),
]

const routeTree = root.addChildren([
  signIn,
  ...publicPages,
  signedIn.addChildren(pages),
  reading.addChildren(readingPages),
  open.addChildren(openPages),
])

/** A page that takes longer than this shows its shape meanwhile. */
const PENDING_MS = 200

/** @param history the browser's where it is not given */
export const createAppRouter = (queryClient: QueryClient, history?: RouterHistory) =>
  createRouter({
    routeTree,
    ...(history && { history }),
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingComponent: PageLoading,
    defaultPendingMs: PENDING_MS,
    defaultPendingMinMs: 0,
    // A page of another webhook, model or document has nothing of what was open or typed on the page before.
    defaultRemountDeps: ({ params }) => params,
    // Around each page alone: what surrounds it stays.
    defaultErrorComponent: RouteFailure,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
