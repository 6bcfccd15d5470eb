import {
  type Icon,
  IconArrowsJoin,
  IconBuildingStore,
  IconChartLine,
  IconChecklist,
  IconDatabaseImport,
  IconFileText,
  IconGauge,
  IconHistory,
  IconKey,
  IconListDetails,
  IconPencilDollar,
  IconTargetArrow,
  IconUserCog,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'

/** A page in the navigation. `to` is one of the router's paths. */
type PageLink = { to: string; label: string; Icon: Icon; exact?: boolean }
export type PageGroup = { label?: string; isForOperators?: boolean; pages: PageLink[] }

/** The pages in the navigation, in the order they are shown. A page gets its line when it exists. */
export const PAGE_GROUPS: PageGroup[] = [
  {
    pages: [
      { to: '/', label: 'What changed', Icon: IconHistory, exact: true },
      { to: '/prices', label: 'Prices', Icon: IconChartLine },
      { to: '/documents', label: 'Documents', Icon: IconFileText },
    ],
  },
  {
    label: 'Workspace',
    pages: [
      { to: '/webhooks', label: 'Webhooks', Icon: IconWebhook },
      { to: '/keys', label: 'API keys', Icon: IconKey },
      { to: '/members', label: 'Members', Icon: IconUsers },
    ],
  },
  {
    label: 'Operator',
    isForOperators: true,
    pages: [
      { to: '/operator/review', label: 'Review', Icon: IconChecklist },
      { to: '/operator/sources', label: 'Sources', Icon: IconDatabaseImport },
      { to: '/operator/aliases', label: 'Alias groups', Icon: IconArrowsJoin },
      { to: '/operator/providers', label: 'Providers', Icon: IconBuildingStore },
      { to: '/operator/prices', label: 'Correct prices', Icon: IconPencilDollar },
      { to: '/operator/accuracy', label: 'Accuracy', Icon: IconTargetArrow },
      { to: '/operator/users', label: 'Users', Icon: IconUserCog },
      { to: '/operator/workspaces', label: 'Quotas', Icon: IconGauge },
      { to: '/operator/audit', label: 'Audit log', Icon: IconListDetails },
    ],
  },
]
