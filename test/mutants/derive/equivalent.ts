/** Mutants that change nothing visible, by what `described` calls them, and why. They are not tried. */
export const EQUIVALENT: { file: string; what: string; why: string }[] = [
  {
    file: 'src/accounts/passkeys/sign-in-with-passkey.ts',
    what: '…passkey, credential)) if (⟦!account || !credential || !used → !used⟧',
    why: 'a passkey is used only where it exists, and it exists only with its account',
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
    file: 'src/prices/staging/compare-store.ts',
    what: '…x<ResourceName[]>` select ⟦distinct → ⟧',
    why: 'what reads the resources takes each once',
  },
]
