import type { AppRoute } from '../route.ts'
import {
  changeAccountStateRoute,
  endAccountSessionsRoute,
  resetPasskeysRoute,
  resetTotpRoute,
} from './accounts/change.ts'
import { listAccountsRoute } from './accounts/list.ts'
import { listContradictedRoute, readAccuracyRoute } from './accuracy/read.ts'
import { listAliasesRoute } from './aliases/list.ts'
import { acceptProposalsRoute, createGroupRoute, deleteGroupRoute, saveGroupRoute } from './aliases/save.ts'
import { listAllActionsRoute, listWorkspaceActionsRoute } from './list-actions.ts'
import { listProvidersRoute } from './list-providers.ts'
import { correctPriceRoute, restorePriceRoute, withdrawPriceRoute } from './prices/change.ts'
import { listResourceRowsRoute } from './prices/list.ts'
import { decideReviewItemsRoute } from './review/decide.ts'
import { listReviewItemsRoute } from './review/list.ts'
import { readReviewItemRoute } from './review/read.ts'
import { collectSourceRoute } from './sources/collect.ts'
import { listSourcesRoute } from './sources/list.ts'
import { readSnapshotRoute, readSourceRoute } from './sources/read.ts'
import { startCheckRoute } from './start-check.ts'

/** The routes behind the pages of operators and the audit log. */
export const OPERATOR_ROUTES: AppRoute[] = [
  listReviewItemsRoute,
  readReviewItemRoute,
  decideReviewItemsRoute,
  listResourceRowsRoute,
  correctPriceRoute,
  withdrawPriceRoute,
  restorePriceRoute,
  readAccuracyRoute,
  listContradictedRoute,
  listSourcesRoute,
  readSourceRoute,
  readSnapshotRoute,
  collectSourceRoute,
  startCheckRoute,
  listAliasesRoute,
  acceptProposalsRoute,
  createGroupRoute,
  saveGroupRoute,
  deleteGroupRoute,
  listProvidersRoute,
  listAccountsRoute,
  changeAccountStateRoute,
  endAccountSessionsRoute,
  resetTotpRoute,
  resetPasskeysRoute,
  listAllActionsRoute,
  listWorkspaceActionsRoute,
]
