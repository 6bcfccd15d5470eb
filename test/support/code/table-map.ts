/**
 * Which room writes each table, and which tables of other rooms it reads. A table is written by one room; what is not
 * listed is forbidden. A room reads its own tables.
 */
export const TABLE_MAP: Record<string, { writes: string[]; reads: string[] }> = {
  catalog: {
    writes: [
      'clock_anchor',
      'good_fetch',
      'history_timeline',
      'provider',
      'provider_pricing',
      'provider_status',
      'publication_clock',
      'resource',
      'resource_fact',
      'resource_rename',
      'snapshot',
      'source',
      'source_fetch',
      'source_provider',
    ],
    // The catalog's answer lists dimensions and documents, retention keeps snapshots that are evidence, and a provider
    // is retired when no price of it is published.
    reads: [
      'contradicted_line',
      'document',
      'document_version',
      'price_line',
      'price_row',
      'publication',
      'row_confirmation',
      'unsaid_line',
      'upcoming_price',
    ],
  },
  aliases: {
    writes: ['alias_catalog', 'alias_group', 'alias_member', 'alias_revision'],
    reads: ['price_line', 'provider_pricing', 'provider_status', 'publication', 'resource', 'source'],
  },
  prices: {
    writes: [
      'accuracy_day',
      'accuracy_run',
      'announced_price',
      'confirmation_pass',
      'cursor_key',
      'earlier_cursor_key',
      'ingested_content',
      'price_line',
      'price_row',
      'price_status',
      'publication',
      'review',
      'review_row',
      'row_confirmation',
      'unsaid_line',
      'staging',
      'witness_price',
      'contradicted_line',
      'upcoming_price',
    ],
    // A page of history is scoped by providers and groups at a closed instant.
    reads: [
      'alias_group',
      'alias_member',
      'good_fetch',
      'history_timeline',
      'provider',
      'provider_pricing',
      'provider_status',
      'publication_clock',
      'resource',
      'resource_rename',
      'source',
    ],
  },
  proof: {
    writes: ['log_checkpoint', 'log_entries', 'log_key', 'log_origin', 'log_state', 'log_tile'],
    // The log is written from what publications leave.
    reads: ['history_timeline', 'installation', 'price_status', 'provider_status', 'publication', 'publication_clock'],
  },
  terms: {
    writes: ['document', 'document_quarantine', 'document_version'],
    reads: ['snapshot'],
  },
  exports: { writes: [], reads: ['price_row', 'publication'] },
  mail: { writes: ['outbox_mail'], reads: [] },
  review: { writes: ['operator_notice', 'source_notice'], reads: [] },
  // The log names who acted, where, and on what.
  audit: { writes: ['audit_entry'], reads: ['account', 'webhook', 'workspace'] },
  events: { writes: ['event'], reads: [] },
  webhooks: {
    writes: [
      'attempt',
      'delivery',
      'delivery_notice',
      'temporal_store',
      'webhook',
      'webhook_filter',
      'webhook_group',
      'webhook_secret',
      'webhook_version',
    ],
    // Admins are mailed when a webhook is paused.
    reads: ['account', 'alias_group', 'alias_member', 'event', 'workspace', 'workspace_member'],
  },
  watches: {
    writes: ['unsubscribe_link', 'watch', 'watch_plan'],
    // Who can be mailed, what a subject is called and was called before, and what was published.
    reads: [
      'account',
      'alias_group',
      'document',
      'event',
      'provider',
      'publication_clock',
      'resource',
      'resource_rename',
    ],
  },
  monitoring: {
    writes: ['check_run', 'installation', 'waiting_deliveries', 'worker_heartbeat', 'write_probe'],
    // Metrics count what waits.
    reads: [
      'accuracy_day',
      'accuracy_run',
      'contradicted_line',
      'delivery',
      'document_version',
      'event',
      'log_state',
      'price_line',
      'price_status',
      'review',
      'webhook',
    ],
  },
  accounts: {
    writes: [
      'account',
      'account_identity',
      'account_link',
      'account_totp',
      'api_key',
      'feed_address',
      'identity_handshake',
      'invitation',
      'known_browser',
      'passkey',
      'passkey_challenge',
      'rate_bucket',
      'recovery_code',
      'session',
      'sign_in_failure',
      'workspace',
      'workspace_member',
    ],
    // Operators see how much of a quota is used.
    reads: ['webhook'],
  },
}

/** Tables that only processes of the release before still use, during a rolling update. */
export const KEPT_FOR_OLDER_PROCESSES = ['account_mail', 'document_volatility', 'pause_mail']
