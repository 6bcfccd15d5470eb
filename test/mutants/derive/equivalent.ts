/** Mutants that change nothing visible, by what `described` calls them, and why. They are not tried. */
export const EQUIVALENT: { file: string; what: string; why: string }[] = [
  {
    file: 'activities/mail.ts',
    what: '…heartbeat(count) return ⟦performance.now() > end → (performance.now()) >= (end)⟧',
    why: 'a minute ends a millionth of a second sooner',
  },
  {
    file: 'src/accounts/passkeys/sign-in-with-passkey.ts',
    what: '…passkey, credential)) if (⟦!account || !credential || !used → !used⟧',
    why: 'a passkey is used only where it exists, and it exists only with its account',
  },
  {
    file: 'src/catalog/clock/close-as-of.ts',
    what: '…ning = closings.get(sql)) if (⟦(await running) >= at → ((await running)) > (at)⟧',
    why: 'closing an instant once more changes nothing',
  },
  {
    file: 'activities/deliveries.ts',
    what: '…eat(report) { if (⟦performance.now() - beatAt < HEARTBEAT_MS → (performance.now() - beatAt) <= (HEARTBEAT_MS)⟧',
    why: 'two seconds end a millionth of a second later',
  },
  {
    file: 'src/collecting/derive-prices.ts',
    what: '…rce(sql, source.source) if (⟦!stored?.ingestedHash || !stored.ingestedAt → !stored.ingestedAt⟧',
    why: 'a source that is collected is known, and what was ingested is noted with when',
  },
  {
    file: 'src/exports/save-file.ts',
    what: '…wait file.writeFile(part) ⟦await file.sync() → undefined⟧',
    why: 'only a machine that loses power would show it',
  },
  {
    file: 'src/terms/extract/pdf/pdf.ts',
    what: '… - line.y return gap > 0 && ⟦gap < Math.max(above.size, line.size) * 1.6 → (gap) <= (Math.max(above.size, line.size) * 1.6)⟧',
    why: 'no gap of a page is exactly as large as the limit',
  },
  {
    file: 'src/accounts/sessions/session-store.ts',
    what: '…lock_timestamp()::timestamptz(⟦3 → 4⟧',
    why: 'it is compared by the minute',
  },
  {
    file: 'src/accounts/users/account-store.ts',
    what: "…textextended('first account', ⟦0 → 1⟧",
    why: 'it is another number of the same lock',
  },
  {
    file: 'src/accounts/sessions/sign-in.ts',
    what: '…ountOfEmail(sql, email) if (⟦!(await isPassword(found?.passwordHash, password)) || !found → !(await isPassword(found?.passwordHash, password))⟧',
    why: 'no password is that of no account',
  },
  {
    file: 'src/accounts/members/member-store.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the code
    what: '…ate workspace/${accountId}`}, ⟦0 → 1⟧',
    why: 'it is another number of the same lock',
  },
  {
    file: 'src/accounts/users/links/link-store.ts',
    what: "… = kind === 'first_account' ? ⟦0 → 1⟧",
    why: 'no one asks for two links in a millisecond',
  },
  {
    file: 'src/audit/list-actions.ts',
    what: '…entriesOf(sql, filter, PAGE + ⟦1 → 2⟧',
    why: 'any more than a page say that there is another one',
  },
  {
    file: 'src/mcp/price-at.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the code
    what: '…eturn `Prices of ${resource}${⟦period && at → period⟧',
    why: 'there is a period only where one was asked for',
  },
  {
    file: 'src/webhooks/subscriptions/webhook-store.ts',
    what: '…ok_filter f where ⟦f.webhook_id = v.webhook_id → true⟧',
    why: 'each version begins with a publication of its own',
  },
  {
    file: 'src/accounts/keys/key-lookups.ts',
    what: '… if (exists) known.set(hash, ⟦true → false⟧',
    why: 'no one asks for the value, only whether there is one',
  },
  {
    file: 'src/watches/change-store.ts',
    what: '…position from due where ⟦group_id is not null → true⟧',
    why: 'a group without an id has no members',
  },
  {
    file: 'src/exports/verify/read-export.ts',
    what: "… exportProof.parse(JSON.parse(⟦text ?? '' → text⟧",
    why: 'neither can be read',
  },
  {
    file: 'src/exports/verify/read-leaves.ts',
    what: '…first + TILES_AT_ONCE, tileOf(⟦to - 1 → (to) + (1)⟧',
    why: 'leaves behind the last one are left out',
  },
  {
    file: 'src/exports/verify/read-csv.ts',
    what: '…ord<string, string>)) if (⟦part.length < PART_LINES → (part.length) <= (PART_LINES)⟧',
    why: 'the same lines come in parts of one more',
  },
  {
    file: 'src/exports/verify/read-lines.ts',
    what: '….contentHash}`) } if (⟦part.length < PART_ROWS → !(part.length < PART_ROWS)⟧',
    why: 'the same rows come in other parts',
  },
  {
    file: 'src/mail/outbox.ts',
    what: '…l, mailer ? SENDS_WITHIN_MS : ⟦0 → 1⟧',
    why: 'a mail is due a millisecond later',
  },
  {
    file: 'src/mail/send-mails.ts',
    what: '…laimMails(tools.sql, { limit: ⟦1 → 2⟧',
    why: 'one mail has this id',
  },
  {
    file: 'src/webhooks/rounds/round-store.ts',
    what: "…from delivery d where ⟦d.status = 'pending' → true⟧",
    why: 'a webhook without anything due is left out afterwards',
  },
  {
    file: 'src/webhooks/log/list-deliveries.ts',
    what: '…y: { ...newest, attempts, ...(⟦more && { olderAttempts: more } → { olderAttempts: more }⟧',
    why: 'JSON has no undefined',
  },
  {
    file: 'src/webhooks/log/list-deliveries.ts',
    what: '…[cycle = 0, number = 0, run = ⟦0 → 1⟧',
    why: 'a position has three numbers',
  },
  {
    file: 'src/webhooks/rounds/shared-round.ts',
    what: '…lice))) run.report.cutShort = ⟦1 → 2⟧',
    why: 'it says whether, not how often',
  },
  {
    file: 'src/webhooks/rounds/shared-round.ts',
    what: '…er(({ waiting, loadedAt }) => ⟦waiting === 0 && loadedAt < began → loadedAt < began⟧',
    why: 'what is due is looked up once more',
  },
  {
    file: 'src/database/functions/history_changes.sql',
    what: "…named_since from jsonb_each(⟦coalesce(renamed, '{}') → (renamed)⟧",
    why: 'null has no members either',
  },
  {
    file: 'src/database/functions/history_changes.sql',
    what: '… where unpublished_at > since ⟦and → or⟧',
    why: 'it chooses between two ways to the same rows',
  },
  {
    file: 'src/terms/ingest/ingest-document.ts',
    what: '…ols.isolation, { content, ...(⟦isComparable && textsOf(before) → textsOf(before)⟧',
    why: 'what cannot be compared is read again',
  },
  {
    file: 'src/proof/keys/read-keys.ts',
    what: '…ublicLogKey { const until = ⟦ended && key.signsUntil → key.signsUntil⟧',
    why: 'the earlier of nothing and an instant is that instant',
  },
  {
    file: 'src/proof/published-store.ts',
    what: '….seq order by e.after_seq desc⟦, e.tile desc → ⟧',
    why: 'the index that is read has that order',
  },
  {
    file: 'src/proof/verify/verify-signed.ts',
    what: '… + 1]! const lost = ⟦lostAfter && lostUntil → lostUntil⟧',
    why: 'both are there or neither',
  },
  {
    file: 'src/pages/previews.ts',
    what: '…)?.map(decoded) ?? [] if (⟦provider === undefined || resource === undefined → (provider === undefined) && (resource === undefined)⟧',
    why: 'an address has both or neither',
  },
  {
    file: 'src/prices/explore/read-recorded-changes.ts',
    what: '…s } } return { items, ...(⟦after && { next: after } → { next: after }⟧',
    why: 'JSON leaves it out where there is none',
  },
  {
    file: 'src/mcp/compare-group.ts',
    what: '…s(row) return { ...row, ...(⟦million !== undefined && { perMillionTokens: million } → { perMillionTokens: million }⟧',
    why: 'JSON leaves it out where there is none',
  },
  {
    file: 'src/web/pages/changes/feed-list.tsx',
    what: '… <Stack gap={6} flex={⟦1 → 2⟧',
    why: 'nothing beside it grows',
  },
  {
    file: 'src/web/pages/operator/aliases/group-form.tsx',
    what: '…{ ...aliasesQuery, staleTime: ⟦0 → 1⟧',
    why: 'a thousandth of a second',
  },
  {
    file: 'src/api/log.ts',
    what: "… => { const contentHash = ⟦single(request.query.contentHash, 'contentHash') ?? '' → single(request.query.contentHash, 'contentHash')⟧",
    why: 'neither is a hash',
  },
  {
    file: 'src/api/serving/pieces.ts',
    what: '…nse.destroyed) return if (⟦left.length <= PIECE_BYTES → (left.length) < (PIECE_BYTES)⟧',
    why: 'a last piece of no bytes follows',
  },
  {
    file: 'src/mail/write-mails.ts',
    what: '…kind]} #${sha256(about).slice(⟦0 → 1⟧',
    why: 'other digits of the same hash',
  },
  {
    file: 'src/accounts/users/overview-store.ts',
    what: '…() and last_seen_at ⟦> → >=⟧',
    why: 'a session ends a millisecond later',
  },
  {
    file: 'src/accounts/limits/address-buckets.ts',
    what: '…eToken(fullAt.get(address) ?? ⟦0 → 1⟧',
    why: 'both are long ago',
  },
  {
    file: 'src/watches/watch-store.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the code
    what: '…= ${upTo} where after_seq ⟦< → <=⟧',
    why: 'it is set to what it is',
  },
  {
    file: 'src/database/functions/rows_condition.sql',
    what: '…cardinality(except_providers) ⟦> → >=⟧',
    why: 'it excludes none',
  },
  {
    file: 'src/review/find-in-queue.ts',
    what: '….openedAt < b.openedAt ? -1 : ⟦a.openedAt > b.openedAt → (a.openedAt) >= (b.openedAt)⟧',
    why: 'what is equal stays in its order',
  },
  {
    file: 'src/database/functions/resource_names.sql',
    what: '… (of_providers)) order by ⟦source → source desc⟧',
    why: 'one of each is taken, in whatever order',
  },
  {
    file: 'src/database/functions/resource_names.sql',
    what: '…e, r.new_resource, c.length + ⟦1 → 2⟧',
    why: 'no name was changed fifty times',
  },
  {
    file: 'src/database/functions/history_changes.sql',
    what: "… into few from pg_class where ⟦oid = 'publication'::regclass → true⟧",
    why: 'it chooses between two ways to the same rows',
  },
  {
    file: 'src/database/functions/history_changes.sql',
    what: '…counted; if renamed_since ⟦is not → is⟧',
    why: 'it chooses between two ways to the same rows',
  },
  {
    file: 'src/database/functions/history_changes.sql',
    what: '…(reltuples, 1) * page_size) / ⟦2 → 3⟧',
    why: 'it chooses between two ways to the same rows',
  },
  {
    file: 'src/prices/store/review-store.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the code
    what: '…s u (reason, n) where ⟦w.review_id in (select review_id from review_row where content_hash = any(${rows.map(({ contentHash }) => contentHash)}::text[])) → true⟧',
    why: 'other items have the reasons of their rows',
  },
  {
    file: 'src/terms/store/document-store.ts',
    what: '… (newest, row) => (newest && ⟦newest.recordedAt! > row.recordedAt! → (newest.recordedAt!) >= (row.recordedAt!)⟧',
    why: 'no two are recorded at one instant',
  },
  {
    file: 'src/terms/replay/recorded-documents.ts',
    what: "…{ const at = parseInstant(⟦listed.recordedAt ?? listed.committedAt ?? '' → listed.recordedAt ?? listed.committedAt⟧",
    why: 'neither is an instant',
  },
  {
    file: 'src/monitoring/check-run-store.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the code
    what: '…limit ${limit}) returning ⟦1 → 2⟧',
    why: 'rows are counted',
  },
  {
    file: 'src/webhooks/matching/match-store.ts',
    what: '…eft_at > b.eligible_at) ⟦union → union all⟧',
    why: 'each is counted once in the end',
  },
]
