import { type Icon, IconKey, IconUsers } from '@tabler/icons-react'

/** A page in the navigation. `to` is one of the router's paths. */
export type PageLink = { to: string; label: string; Icon: Icon; exact?: boolean }
export type PageGroup = { label?: string; isForOperators?: boolean; pages: PageLink[] }

/**
 * The pages in the navigation, in the order they are shown. A page gets its line when it exists:
 *
 * ```
 * { to: '/', label: 'What changed', Icon: IconHistory, exact: true },
 * { to: '/prices', label: 'Prices', Icon: IconChartLine },
 * { to: '/documents', label: 'Documents', Icon: IconFileText },
 * { to: '/operator/review', label: 'Review', Icon: IconChecklist }, then sources, aliases, providers, users, audit
 * ```
 */
export const PAGE_GROUPS: PageGroup[] = [
  { pages: [] },
  {
    label: 'Workspace',
    pages: [
      { to: '/keys', label: 'API keys', Icon: IconKey },
      { to: '/members', label: 'Members', Icon: IconUsers },
    ],
  },
  { label: 'Operator', isForOperators: true, pages: [] },
]
