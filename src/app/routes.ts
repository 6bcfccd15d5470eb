import { changeEmailRoute } from './account/change-email.ts'
import { changePasswordRoute } from './account/change-password.ts'
import { createAccountRoute } from './account/create.ts'
import { deleteAccountRoute } from './account/delete.ts'
import { readAccountRoute } from './account/read.ts'
import { renameAccountRoute } from './account/rename.ts'
import { requestPasswordResetRoute } from './account/request-password-reset.ts'
import { requestVerificationRoute } from './account/request-verification.ts'
import { resetPasswordRoute } from './account/reset-password.ts'
import { signUpRoute } from './account/sign-up.ts'
import { beginTotpRoute, confirmTotpRoute, readTotpRoute, turnTotpOffRoute } from './account/totp.ts'
import { verifyEmailRoute } from './account/verify-email.ts'
import { listEventExamplesRoute } from './choices/events.ts'
import { listChoicesRoute } from './choices/list.ts'
import { findResourcesRoute } from './choices/resources.ts'
import { listDeliveriesRoute } from './deliveries/list.ts'
import { readDeliveryRoute } from './deliveries/read.ts'
import { resendDeliveryRoute } from './deliveries/resend.ts'
import { resendFailedRoute } from './deliveries/resend-failed.ts'
import { readStatisticsRoute } from './deliveries/statistics.ts'
import { listDocumentsRoute } from './documents/list.ts'
import { readDocumentRoute } from './documents/read.ts'
import { createFeedAddressRoute } from './feed/create-address.ts'
import { deleteFeedAddressRoute } from './feed/delete-address.ts'
import { listFeedRoute } from './feed/list.ts'
import { listRecordedChangesRoute } from './feed/list-recorded.ts'
import { readOverviewRoute } from './feed/overview.ts'
import { readFeedAddressRoute } from './feed/read-address.ts'
import { acceptInvitationRoute } from './invitations/accept.ts'
import { listInvitationsRoute } from './invitations/list.ts'
import { readInvitationRoute } from './invitations/read.ts'
import { sendInvitationRoute } from './invitations/send.ts'
import { withdrawInvitationRoute } from './invitations/withdraw.ts'
import { createKeyRoute } from './keys/create.ts'
import { deleteKeyRoute } from './keys/delete.ts'
import { listKeysRoute } from './keys/list.ts'
import { changeRoleRoute } from './members/change-role.ts'
import { listMembersRoute } from './members/list.ts'
import { removeMemberRoute } from './members/remove.ts'
import { OPERATOR_ROUTES } from './operator/routes.ts'
import { addPasskeyRoute, beginPasskeyRoute } from './passkeys/add.ts'
import { removePasskeyRoute, renamePasskeyRoute } from './passkeys/change.ts'
import { listPasskeysRoute } from './passkeys/list.ts'
import { beginPasskeySignInRoute, signInWithPasskeyRoute } from './passkeys/sign-in.ts'
import { exportPricesRoute } from './prices/export-prices.ts'
import { readEvidenceRoute } from './prices/read-evidence.ts'
import { readPricesRoute } from './prices/read-prices.ts'
import { readSeriesRoute } from './prices/read-series.ts'
import type { AppRoute } from './route.ts'
import { searchRoute } from './search/search.ts'
import { endSessionRoute } from './sessions/end.ts'
import { listSessionsRoute } from './sessions/list.ts'
import { readSessionRoute } from './sessions/read.ts'
import { signInRoute } from './sessions/sign-in.ts'
import { signOutRoute } from './sessions/sign-out.ts'
import { signOutEverywhereRoute } from './sessions/sign-out-everywhere.ts'
import { createWatchRoute } from './watches/create.ts'
import { deleteWatchRoute } from './watches/delete.ts'
import { editWatchRoute } from './watches/edit.ts'
import { listWatchesRoute } from './watches/list.ts'
import { checkRequestRoute } from './webhooks/check-request.ts'
import { createWebhookRoute } from './webhooks/create.ts'
import { deleteWebhookRoute } from './webhooks/delete.ts'
import { editWebhookRoute } from './webhooks/edit.ts'
import { listWebhooksRoute } from './webhooks/list.ts'
import { pauseWebhookRoute } from './webhooks/pause.ts'
import { previewWebhookRoute } from './webhooks/preview.ts'
import { readWebhookRoute } from './webhooks/read.ts'
import { resumeWebhookRoute } from './webhooks/resume.ts'
import { revealSecretRoute } from './webhooks/reveal-secret.ts'
import { rotateSecretRoute } from './webhooks/rotate-secret.ts'
import { testWebhookRoute } from './webhooks/test.ts'
import { createWorkspaceRoute } from './workspaces/create.ts'
import { deleteWorkspaceRoute } from './workspaces/delete.ts'
import { listWorkspacesRoute } from './workspaces/list.ts'
import { renameWorkspaceRoute } from './workspaces/rename.ts'

/** Every route of the app. */
export const APP_ROUTES: AppRoute[] = [
  signUpRoute,
  createAccountRoute,
  readAccountRoute,
  renameAccountRoute,
  changePasswordRoute,
  changeEmailRoute,
  deleteAccountRoute,
  requestVerificationRoute,
  verifyEmailRoute,
  requestPasswordResetRoute,
  resetPasswordRoute,
  signInRoute,
  readSessionRoute,
  listSessionsRoute,
  signOutRoute,
  endSessionRoute,
  signOutEverywhereRoute,
  readTotpRoute,
  beginTotpRoute,
  confirmTotpRoute,
  turnTotpOffRoute,
  listPasskeysRoute,
  beginPasskeyRoute,
  addPasskeyRoute,
  renamePasskeyRoute,
  removePasskeyRoute,
  beginPasskeySignInRoute,
  signInWithPasskeyRoute,
  listWorkspacesRoute,
  createWorkspaceRoute,
  renameWorkspaceRoute,
  deleteWorkspaceRoute,
  listMembersRoute,
  changeRoleRoute,
  removeMemberRoute,
  listInvitationsRoute,
  sendInvitationRoute,
  withdrawInvitationRoute,
  readInvitationRoute,
  acceptInvitationRoute,
  listKeysRoute,
  createKeyRoute,
  deleteKeyRoute,
  listWebhooksRoute,
  createWebhookRoute,
  previewWebhookRoute,
  listChoicesRoute,
  findResourcesRoute,
  listEventExamplesRoute,
  readStatisticsRoute,
  readWebhookRoute,
  editWebhookRoute,
  deleteWebhookRoute,
  testWebhookRoute,
  pauseWebhookRoute,
  resumeWebhookRoute,
  revealSecretRoute,
  rotateSecretRoute,
  checkRequestRoute,
  listDeliveriesRoute,
  readDeliveryRoute,
  resendDeliveryRoute,
  resendFailedRoute,
  ...OPERATOR_ROUTES,
  searchRoute,
  readPricesRoute,
  readSeriesRoute,
  readEvidenceRoute,
  exportPricesRoute,
  listDocumentsRoute,
  readDocumentRoute,
  listFeedRoute,
  listRecordedChangesRoute,
  readOverviewRoute,
  readFeedAddressRoute,
  createFeedAddressRoute,
  deleteFeedAddressRoute,
  listWatchesRoute,
  createWatchRoute,
  editWatchRoute,
  deleteWatchRoute,
]
