import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './style.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { watchNetwork } from './api/connection/connection.ts'
import { takeAnswer } from './api/connection/provider-visit.ts'
import { createQueryClient } from './api/connection/query-client.ts'
import { lazyPart } from './components/loading/lazy-part.ts'
import { createAppRouter } from './router.tsx'
import { cssVariablesResolver, theme } from './theme.ts'

/** No page waits for them. A notice that comes before them is shown when they are here. */
const Notifications = lazyPart(() => import('./components/notifications.tsx'))
const Dialogs = lazyPart(() => import('./components/dialogs.tsx'))

takeAnswer()
watchNetwork()
const queryClient = createQueryClient()
const router = createAppRouter(queryClient)

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Suspense fallback={null}>
          <Notifications />
          <Dialogs />
        </Suspense>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
