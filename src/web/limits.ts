/** The limits that pages show. test/web/limits.test.ts compares each with the service's own. */
/** What operators may allow a workspace at most. */
export const LARGEST_QUOTA = { webhooks: 20, apiKeys: 20, members: 10_000, requestsPerMinute: 600 }
/** Networks of one API key. */
export const MAX_NETWORKS = 50
export const MAX_PASSKEYS = 20
/** What one person may watch by e-mail. */
export const MAX_WATCHES = 50
export const MAX_WORKSPACES = 3
export const MAX_NAME_CHARACTERS = 80
export const MIN_PASSWORD_CHARACTERS = 12
/** Names of resources or documents of one provider, in the filter of a webhook. */
export const MAX_FILTER_ENTRIES = 200
export const MAX_GROUPS = 50
/** Per cent: the largest threshold for price changes. */
export const MAX_MIN_CHANGE = 1_000
export const MAX_INVITATIONS_PER_DAY = 20
export const INVITATION_DAYS = 7
/** Links that confirm an address. */
export const LINK_HOURS = 24
/** For so long a secret that was replaced signs beside the new one. */
export const ROTATION_HOURS = 24
/** Deliveries go out in rounds, which start on this grid of minutes. */
export const ROUND_MINUTES = 5
/** What the log of a webhook shows, and for how long it is kept. */
export const LOG_LENGTH = 50
export const LOG_DAYS = 30
/** Of one request of the audit log. */
export const MAX_AUDIT_ENTRIES = 1_000
export const PAUSE_FAILURES = 5
export const PAUSE_HOURS = 24
/** As many names, and this many bytes of them, fit into one request of the price history. */
export const MAX_NAMES = 50
export const MAX_NAME_BYTES = 4_000
export const MAX_PROVIDERS = 200
export const MAX_ROWS = 10_000
