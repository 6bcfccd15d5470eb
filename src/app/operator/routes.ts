import type { AppRoute } from '../route.ts'
import { listAllActionsRoute, listWorkspaceActionsRoute } from './list-actions.ts'

/** The routes behind the pages of operators, and the audit log. */
export const OPERATOR_ROUTES: AppRoute[] = [listAllActionsRoute, listWorkspaceActionsRoute]
