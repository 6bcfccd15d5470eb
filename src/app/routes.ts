import { accountRoutes } from './account/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { choicesRoutes } from './choices/routes.ts'
import { deliveriesRoutes } from './deliveries/routes.ts'
import { documentsRoutes } from './documents/routes.ts'
import { feedRoutes } from './feed/routes.ts'
import { identitiesRoutes } from './identities/routes.ts'
import { invitationsRoutes } from './invitations/routes.ts'
import { keysRoutes } from './keys/routes.ts'
import { membersRoutes } from './members/routes.ts'
import { accountsRoutes as operatorAccountsRoutes } from './operator/accounts/routes.ts'
import { accuracyRoutes } from './operator/accuracy/routes.ts'
import { aliasesRoutes } from './operator/aliases/routes.ts'
import { checksRoutes } from './operator/checks/routes.ts'
import { pricesRoutes as operatorPricesRoutes } from './operator/prices/routes.ts'
import { providersRoutes } from './operator/providers/routes.ts'
import { reviewRoutes } from './operator/review/routes.ts'
import { sourcesRoutes } from './operator/sources/routes.ts'
import { operatorWorkspacesRoutes } from './operator/workspaces/routes.ts'
import { passkeysRoutes } from './passkeys/routes.ts'
import { pricesRoutes } from './prices/routes.ts'
import type { AppRoute } from './route.ts'
import { searchRoutes } from './search/routes.ts'
import { secondFactorRoutes } from './second-factor/routes.ts'
import { sessionsRoutes } from './sessions/routes.ts'
import { watchesRoutes } from './watches/routes.ts'
import { webhooksRoutes } from './webhooks/routes.ts'
import { workspacesRoutes } from './workspaces/routes.ts'

/** Every route of the app. */
export const APP_ROUTES: AppRoute[] = [
  ...accountRoutes,
  ...secondFactorRoutes,
  ...choicesRoutes,
  ...deliveriesRoutes,
  ...documentsRoutes,
  ...feedRoutes,
  ...identitiesRoutes,
  ...invitationsRoutes,
  ...keysRoutes,
  ...membersRoutes,
  ...passkeysRoutes,
  ...pricesRoutes,
  ...searchRoutes,
  ...sessionsRoutes,
  ...watchesRoutes,
  ...webhooksRoutes,
  ...workspacesRoutes,
  ...auditRoutes,
  ...operatorAccountsRoutes,
  ...accuracyRoutes,
  ...aliasesRoutes,
  ...providersRoutes,
  ...checksRoutes,
  ...operatorPricesRoutes,
  ...reviewRoutes,
  ...sourcesRoutes,
  ...operatorWorkspacesRoutes,
]
