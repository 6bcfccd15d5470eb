import { type Mutant, mutantsOf } from '../mutant.ts'

const KEYS = 'test/accounts/api-keys.test.ts'
const MEMBERS = 'test/accounts/members.test.ts'
const WORKSPACES = 'test/accounts/workspaces.test.ts'
const APP = 'test/app/workspaces.test.ts'
const AUTHENTICATION = 'test/api/authentication.test.ts'
const AUTHORIZATION = 'test/app/access/authorization.test.ts'
const CONCURRENCY = 'test/concurrency/matrix.test.ts'
const FOREIGN = 'test/app/access/foreign-ids.test.ts'

const keys = mutantsOf('src/accounts/keys/api-key-store.ts', [KEYS, AUTHENTICATION, AUTHORIZATION])
const members = mutantsOf('src/accounts/members/member-store.ts', [MEMBERS, APP])
const invitations = mutantsOf('src/accounts/invitations/invitation-store.ts', [MEMBERS, APP])
const founding = mutantsOf('src/accounts/members/found-workspace.ts', [WORKSPACES, MEMBERS, APP])
const authorizing = mutantsOf('src/accounts/members/authorize.ts', [AUTHORIZATION, MEMBERS])
const sessions = mutantsOf('src/accounts/sessions/session-store.ts', [
  'test/accounts/sign-in.test.ts',
  'test/app/account.test.ts',
  AUTHORIZATION,
])
const buckets = mutantsOf('src/database/functions/tokens.sql', ['test/accounts/rate-limits.test.ts', AUTHENTICATION])
const leases = mutantsOf('src/database/functions/tokens.sql', [KEYS, AUTHENTICATION, 'test/models/leases.test.ts'])
const gate = mutantsOf('src/app/access.ts', [AUTHORIZATION, 'test/app/requests.test.ts'])

/** Bugs in who may do what, and how often. */
export const ACCOUNTS: Mutant[] = [
  mutantsOf('src/accounts/passkeys/passkey-store.ts', [FOREIGN])(
    'A passkey of another person is removed',
    'where passkey_id = ${passkeyId} and account_id = ${accountId} returning name`',
    'where passkey_id = ${passkeyId} and ${accountId}::uuid is not null returning name`',
  ),
  mutantsOf('src/accounts/keys/create-api-key.ts', [KEYS, CONCURRENCY])(
    'A workspace may have 21 keys',
    '>= most)',
    '> most)',
  ),
  mutantsOf('src/accounts/workspaces/workspace-store.ts', [KEYS, MEMBERS, CONCURRENCY])(
    'Limits of a workspace are checked without a lock',
    'select from workspace where workspace_id = ${workspaceId} for update`',
    'select from workspace where workspace_id = ${workspaceId}`',
  ),
  keys(
    'A key of another workspace is deleted',
    ' where key_id::text = ${key.keyId} and workspace_id = ${key.workspaceId}`',
    ' where key_id::text = ${key.keyId}`',
  ),
  keys(
    'Keys of another workspace are listed',
    'from api_key where workspace_id = ${workspaceId} order by created_at, key_id`',
    'from api_key order by created_at, key_id`',
  ),
  leases(
    'A key that has expired while a node knew it is accepted',
    "k.hash = decode(u.hash, 'hex') and (k.expires_at is null or k.expires_at > clock_timestamp())",
    "k.hash = decode(u.hash, 'hex')",
  ),
  leases(
    'Leased tokens leave room to a full bucket',
    'case when leased > 0 then greatest(owed[place[i]], lease_seconds) else owed[place[i]] end',
    'owed[place[i]]',
  ),
  leases('A full bucket gives up its burst for a lease', ' or owed[place[slowest]] < lease_seconds', ''),
  members(
    'A disabled account counts as an admin',
    'a.account_id = m.account_id and a.disabled_at is null\n    where ${',
    'a.account_id = m.account_id\n    where ${',
  ),
  members(
    'A disabled account counts as another admin where groups give roles',
    'a.account_id = m.account_id and a.disabled_at is null\n    where w.workspace_id = any',
    'a.account_id = m.account_id\n    where w.workspace_id = any',
    { tests: ['test/accounts/users/readings.test.ts'] },
  ),
  mutantsOf('src/accounts/members/change-role.ts', [MEMBERS, APP])(
    'The last admin becomes a member',
    "    if (member.role !== 'admin') await endRights(tx, ref)\n",
    '',
  ),
  mutantsOf('src/accounts/members/change-role.ts', [MEMBERS, APP])(
    'The last admin leaves',
    '    await remove(tx, ref)\n    await endRights(tx, ref)\n',
    '    await remove(tx, ref)\n',
  ),
  founding('Someone belongs to a fourth workspace', '>= MAX_WORKSPACES)', '> MAX_WORKSPACES)'),
  founding(
    'Workspaces of one person are created at once',
    '!(await tryLockCreation(tx, accountId))',
    'false && !(await tryLockCreation(tx, accountId))',
  ),
  invitations(
    '21 invitations go out in a day',
    'offset ${MOST_INVITATIONS[limit] - 1} limit 1',
    'offset ${MOST_INVITATIONS[limit]} limit 1',
  ),
  invitations(
    'The wait of invitations is counted from the newest',
    'order by created_at desc offset',
    'order by created_at offset',
  ),
  invitations(
    'An invitation is accepted twice',
    'where i.token_hash = ${tokenHash(token)} and ${open(tx)}\n    returning i.workspace_id',
    'where i.token_hash = ${tokenHash(token)}\n    returning i.workspace_id',
  ),
  invitations(
    'Deleting a workspace starts the count of invitations again',
    'workspace_id is null and ${byInviter}',
    'false',
  ),
  mutantsOf('src/accounts/members/keep-admins.ts', [MEMBERS])(
    'An invitation outlives the right to invite',
    '  await withdrawInvitationsBy(tx, { accountId, workspaceIds })\n',
    '',
  ),
  invitations(
    'An invitation of another workspace is withdrawn',
    'where i.workspace_id = ${workspaceId} and i.invitation_id::text',
    'where i.invitation_id::text',
  ),
  mutantsOf('src/accounts/invitations/accept-invitation.ts', [MEMBERS, APP])(
    'Anyone accepts the invitation of someone',
    'if (emailKey(email) !== emailKey(account.email)) {',
    'if (false) {',
  ),
  authorizing('A member does what only admins may', "if (needed === 'admin' && role !== 'admin') {", 'if (false) {'),
  authorizing('A role that was taken away meanwhile still counts', '    await authorize(tx, acting, needed)\n', ''),
  sessions(
    'A session of someone else is ended',
    ' where session_id::text = ${session.sessionId} and account_id = ${session.accountId}`',
    ' where session_id::text = ${session.sessionId}`',
  ),
  sessions(
    'A disabled account stays signed in',
    '::interval and a.disabled_at is null`\n  if (!row)',
    '::interval`\n  if (!row)',
  ),
  buckets('A refused request takes tokens of its other buckets', '  if wait > 0 then', '  if false then', {
    built: true,
  }),
  buckets(
    'Requests at once share one token',
    ' where key = any (keys) order by key for update;',
    ' where key = any (keys) order by key;',
    { built: true },
  ),
  gate('Requests of other origins are answered', 'if (isForeignBrowser(request.headers, publicUrl)) {', 'if (false) {'),
  gate('Everyone is an operator', 'return signedIn.operator ? {} : { refusal: operatorsOnly() }', 'return {}'),
  gate(
    'People act in workspaces that they do not belong to',
    '    await authorize(sql, { accountId, workspaceId }, needed)\n',
    '',
  ),
  gate(
    'A refused request costs its user no token',
    '    if (waitSeconds > 0) throw rateLimited(waitSeconds)\n    if (found.refusal)',
    '    if (found.refusal)',
  ),
]
